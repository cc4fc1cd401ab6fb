"""One pass: an index as it is configured, asked every query once, on the clock."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.model.arrays import Floats, Integers, Texts, Vectors, texts
from truerecall.model.engine import Answer, Index
from truerecall.model.mode import Mode
from truerecall.model.progress import Progress
from truerecall.steps.asking import Call, Sheet, ask, ask_at_once

BUNDLES = 20
EMPTY_CALLS = 300
NOTHING = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class Asked:
    """What came back: per query, in the order in which the queries were given, the rows or ids as the index names them
    (none where the call failed), the seconds, number and error of its call; see Run for the rest. ``warmup_calls``: how
    many were made.
    """

    rows: tuple[Answer, ...]
    latency_s: Floats
    failures: Texts
    call: Integers
    wall_s: float
    harness_s: float
    warmup_calls: int
    cost: Mapping[str, int]
    by_formula: tuple[str, ...]


def ask_every_query(
    index: Index, queries: Vectors, k: int, *, order: Integers, mode: Mode, warmup: int, progress: Progress
) -> Asked:
    """Warm up, then ask each of the prepared ``queries`` once, in this ``order``. A call that raises is recorded and
    the rest go on; a batch that raises fails all its queries.

    The warm-up asks ``warmup`` queries in the same mode, those that come last in the order. Progress is told between
    calls, at most twenty times; the clock of ``wall_s`` stands still meanwhile. Where several clients ask at once, the
    counters of an engine may miss what they do at the same moment: there costs are counted in a pass of its own
    afterwards, in turn and off the clock.
    """
    size = mode.size if mode.kind == "batch" else 1
    shuffled = queries[order]
    calls = [shuffled[start : start + size] for start in range(0, len(shuffled), size)]
    call = index.search_batch if mode.kind == "batch" else index.search
    warming = -(-warmup // size)
    index.reset_cost()
    for made in range(0, warming, len(calls)):
        _pass(call, calls[::-1][: warming - made], k, mode)
        index.reset_cost()  # every time, for an engine may keep what each call spent
    with _no_garbage_collection():
        harness_s = _weight(calls[0], k, mode)
        sheet, wall_s = _told_pass(call, calls, k, mode, progress)
    began, ended = np.array(sheet.began), np.array(sheet.ended)
    sizes = [len(asked) for asked in calls]
    rows, failures = _answers(sheet, sizes, batches=mode.kind == "batch", numbers=index.answers == "rows")
    of_query = np.repeat(np.arange(len(calls)), sizes)
    back = np.argsort(order)
    answered = sum(not failure for failure in failures)
    cost, by_formula = _cost(index, calls, k, mode, answered)
    return Asked(
        rows=tuple(rows[place] for place in back.tolist()),
        latency_s=(ended - began)[of_query][back],
        failures=texts([failures[place] for place in back.tolist()]),
        call=np.argsort(np.argsort(began, kind="stable"))[of_query][back],
        wall_s=wall_s,
        harness_s=harness_s,
        warmup_calls=warming,
        cost=cost,
        by_formula=by_formula,
    )


def _pass(call: Call, calls: Sequence[Vectors], k: int, mode: Mode) -> Sheet:
    sheet = Sheet.of(len(calls))
    if mode.kind == "clients":
        ask_at_once(call, calls, k, sheet, mode.size)
    else:
        ask(call, calls, k, sheet, 0)
    return sheet


def _told_pass(call: Call, calls: Sequence[Vectors], k: int, mode: Mode, progress: Progress) -> tuple[Sheet, float]:
    """The pass with the seconds from its first call to the end of its last."""
    if mode.kind == "clients":
        sheet = _pass(call, calls, k, mode)
        progress.advance(len(calls))
        return sheet, max(sheet.ended) - min(sheet.began)
    sheet, wall_s = Sheet.of(len(calls)), 0.0
    for bundle in np.array_split(np.arange(len(calls)), min(BUNDLES, len(calls))):
        first, stop = int(bundle[0]), int(bundle[-1]) + 1
        ask(call, calls[first:stop], k, sheet, first)
        wall_s += sheet.ended[stop - 1] - sheet.began[first]
        progress.advance(sum(len(asked) for asked in calls[first:stop]))
    return sheet, wall_s


def _weight(asked: Vectors, k: int, mode: Mode) -> float:
    """The median seconds of a call of an engine that does nothing, asked in the same loop."""
    one = np.zeros(k, np.int64)
    reply = [one] * len(asked) if mode.kind == "batch" else one

    def empty(queries: Vectors, k: int) -> Any:
        return reply

    clients = mode.size if mode.kind == "clients" else 1
    sheet = _pass(empty, [asked] * (EMPTY_CALLS * clients), k, mode)
    return float(np.median(np.array(sheet.ended) - np.array(sheet.began)))


def _answers(sheet: Sheet, sizes: Sequence[int], *, batches: bool, numbers: bool) -> tuple[list[Answer], list[str]]:
    """The answer and the failure of each query, call after call; ``numbers``: rows come by their numbers.

    A batch with more or fewer answers than queries is a failed one, for nobody knows whose they are.
    """
    rows: list[Answer] = []
    failures: list[str] = []
    for reply, failure, size in zip(sheet.replies, sheet.failures, sizes, strict=True):
        found = [reply] if not batches else [] if failure else list(reply)
        said = failure
        if not failure and len(found) != size:
            said = f"{len(found)} answers came to a batch of {size} queries"
        good = [NOTHING] * size if said else found
        rows += [np.asarray(own, np.int64) if numbers or not len(own) else own for own in good]
        failures += [said] * size
    return rows, failures


def _cost(
    index: Index, calls: Sequence[Vectors], k: int, mode: Mode, answered: int
) -> tuple[Mapping[str, int], tuple[str, ...]]:
    """What the engine counted, and by formula the vectors that it scanned where it does not count distances. Nothing
    where queries failed and it cannot tell any more."""
    try:
        cost = dict(index.cost())
        if cost and mode.kind == "clients":
            index.reset_cost()
            ask(index.search, calls, k, Sheet.of(len(calls)), 0)
            cost = dict(index.cost())
        scanned = None if "distance_computations" in cost else index.vectors_scanned(k)
    except Exception:  # whatever an engine may raise that is gone
        if answered == sum(map(len, calls)):
            raise
        return {}, ()
    if scanned is None:
        return cost, ()
    return {**cost, "vectors_scanned": scanned * answered}, ("vectors_scanned",)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Python's collector stands still, as in timeit: its pauses would be charged to whichever query they hit."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
