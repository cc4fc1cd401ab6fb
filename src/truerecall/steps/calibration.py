"""Which scan is the faster one: tried on this machine where there is much to do, else by what is usual."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

import numpy as np

from truerecall.scan.methods import FEWEST_QUERIES, compiled_pays
from truerecall.scan.problem import Problem
from truerecall.scan.shortlist import spare_for, suits

TRIED_ROWS, TRIED_QUERIES = 16_384, 1_024
OTHER_WORK = 1.2
"""A scan of our own takes about this many times its product and comparison."""

WORTH_TRYING = 5e11
"""Multiplications below which the trial would cost more than a wrong choice."""

USUALLY_FASTER = 128
"""Dimensions from which FAISS's scan takes no longer than the bare product; below, it takes several times that."""


def prefers_shortlist(problem: Problem) -> bool:
    """Whether FAISS's own scan is the faster first step."""
    if problem.method not in ("fastest", "shortlist") or not suits(problem):
        return False
    if problem.method == "shortlist" or len(problem.queries) < FEWEST_QUERIES:
        return True
    if compiled_pays(problem):
        return False
    dimensions = problem.queries.dimensions
    if len(problem.queries) * float(problem.corpus.source.rows) * dimensions < WORTH_TRYING:
        return dimensions >= USUALLY_FASTER
    return _faiss_is_faster(dimensions, problem.k)


@cache
def _faiss_is_faster(dimensions: int, k: int) -> bool:
    import faiss

    random = np.random.default_rng(0)
    rows, queries = (random.random((n, dimensions), np.float32) for n in (TRIED_ROWS, TRIED_QUERIES))
    depth = k + spare_for(k)

    def theirs() -> None:
        faiss.knn(queries, rows, depth, metric=faiss.METRIC_INNER_PRODUCT)

    def own() -> None:
        numbers = queries @ rows.T
        np.flatnonzero(numbers >= numbers[:, :1] + 1)

    return _seconds(theirs) < OTHER_WORK * _seconds(own)


def _seconds(work: Callable[[], None]) -> float:
    """The shorter of two times: in the first one threads and buffers are made."""
    times = []
    for _ in range(2):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)
