"""One point: an index as it is configured, asked every query once, one by one, on the clock."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from truerecall.model.arrays import Floats, Integers, Texts, Vectors, texts
from truerecall.model.engine import Index
from truerecall.model.progress import Progress

BUNDLES = 20


@dataclass(frozen=True, eq=False)
class Asked:
    """What came back: per query the row numbers (empty where the call failed), seconds and error text."""

    rows: tuple[Integers, ...]
    latency_s: Floats
    failures: Texts
    cost: Mapping[str, int]


def ask_every_query(index: Index, queries: Vectors, k: int, *, warmup_calls: int, progress: Progress) -> Asked:
    """Warm up, then ask each of the prepared ``queries`` once. A call that raises is recorded and the rest go on.

    The clock runs around ``index.search`` alone. Progress is told between calls, twenty times in all.
    """
    _warm_up(index, queries, k, warmup_calls)
    count = len(queries)
    rows: list[Integers] = [np.empty(0, np.int64)] * count
    latency_s = np.zeros(count, np.float64)
    failures = [""] * count
    index.reset_cost()
    with _no_garbage_collection():
        for bundle in np.array_split(np.arange(count), min(BUNDLES, count)):
            for i in bundle.tolist():
                rows[i], latency_s[i], failures[i] = _ask(index, queries[i : i + 1], k)
            progress.advance(len(bundle))
    return Asked(tuple(rows), latency_s, texts(failures), dict(index.cost()))


def _ask(index: Index, query: Vectors, k: int) -> tuple[Integers, float, str]:
    start = time.perf_counter()
    try:
        found = index.search(query, k)
        took = time.perf_counter() - start
    except Exception as error:  # whatever an engine may raise: the query counts as failed
        took = time.perf_counter() - start
        return np.empty(0, np.int64), took, " ".join(f"{type(error).__name__}: {error}".split())
    return np.asarray(found, np.int64), took, ""


def _warm_up(index: Index, queries: Vectors, k: int, calls: int) -> None:
    """Ask ``calls`` times and forget the answers, round and round where there are fewer queries."""
    for call in range(calls):
        i = call % len(queries)
        _ask(index, queries[i : i + 1], k)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Python's collector stands still, as in timeit: its pauses would be charged to whichever query they hit."""
    was_enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
