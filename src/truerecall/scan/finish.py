"""Exact keys for proposed pairs."""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np

from truerecall.kernels.distances import order_keys
from truerecall.kernels.exact import Pairs, count_ties, first, ordered
from truerecall.model.arrays import Booleans, Floats, Integers, Vectors
from truerecall.model.source import CorpusSource
from truerecall.scan.problem import Found, Problem
from truerecall.scan.proposals import Proposed

GATHERED_BYTES = 4 << 20
"""How much is gathered at a time for exact keys, by each thread."""


def exact_keys(
    source: CorpusSource,
    queries: Vectors,
    distance: str,
    asking: Integers,
    rows: Integers,
    *,
    pool: Executor | None = None,
) -> Floats:
    """The key of each pair of a query's place and a row. Vectors are read in the order of rows, a bounded number at a
    time by each thread."""
    order = np.argsort(rows, kind="stable")
    step = max(1, GATHERED_BYTES // (source.dimensions * source.dtype.itemsize))
    parts = [order[start : start + step] for start in range(0, len(rows), step)]

    def of(part: Integers) -> Floats:
        return order_keys(distance, queries, source.take(rows[part]), asking=asking[part])

    keys = np.empty(len(rows))
    for part, found in zip(parts, map(of, parts) if pool is None else pool.map(of, parts), strict=True):
        keys[part] = found
    return keys


def exact_pairs(problem: Problem, proposed: Proposed, pool: Executor) -> Pairs:
    """The pairs in exact order."""
    source, queries = problem.corpus.source, problem.queries.vectors
    keys = exact_keys(source, queries, problem.distance.name, proposed.queries, proposed.rows, pool=pool)
    return ordered(proposed.queries, proposed.rows, keys, problem.ranks, len(queries))


def counted(problem: Problem, pairs: Pairs, cuts: Floats, *, proved: Booleans, candidates: int) -> Found:
    """The k nearest of each query's pairs, and how many of all its pairs lie nearer than the cut or tie with it."""
    at_cut = problem.distances(cuts)
    nearer, tied = count_ties(pairs.queries, problem.distances(pairs.keys), at_cut, problem.bands(at_cut))
    return Found(first(pairs, problem.k), nearer, tied, proved, candidates)
