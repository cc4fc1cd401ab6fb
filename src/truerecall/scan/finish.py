"""Exact keys for proposed pairs."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np

from truerecall.kernels.distances import order_keys
from truerecall.kernels.exact import Pairs, count_ties, first, ordered
from truerecall.kernels.ranking import stable_order
from truerecall.model.arrays import Booleans, Floats, Integers, Vectors
from truerecall.model.source import CorpusSource
from truerecall.scan.problem import Found, Problem

KeysOf = Callable[..., Floats]
"""``kernels.distances.order_keys``, or a function that gives the same bits."""

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
    keys_of: KeysOf = order_keys,
) -> Floats:
    """The key of each pair of a query's place and a row. Vectors are read in the order of rows, a bounded number at a
    time by each thread."""
    order = stable_order(rows)
    step = max(1, GATHERED_BYTES // (source.dimensions * source.dtype.itemsize))
    parts = [order[start : start + step] for start in range(0, len(rows), step)]

    def of(part: Integers) -> Floats:
        return keys_of(distance, queries, source.take(rows[part]), asking=asking[part])

    keys = np.empty(len(rows))
    for part, found in zip(parts, map(of, parts) if pool is None else pool.map(of, parts), strict=True):
        keys[part] = found
    return keys


def exact_pairs(problem: Problem, asking: Integers, rows: Integers, pool: Executor, keys_of: KeysOf) -> Pairs:
    """The pairs of a query's place and a row, in exact order."""
    source, queries = problem.corpus.source, problem.queries.vectors
    keys = exact_keys(source, queries, problem.distance.name, asking, rows, pool=pool, keys_of=keys_of)
    return ordered(asking, rows, keys, problem.ranks, len(queries))


def counted(problem: Problem, pairs: Pairs, cuts: Floats, *, proved: Booleans, candidates: int) -> Found:
    """The k nearest of each query's pairs, and how many of all its pairs lie nearer than the cut or tie with it."""
    at_cut = problem.distances(cuts)
    nearer, tied = count_ties(pairs.queries, problem.distances(pairs.keys), at_cut, problem.bands(at_cut))
    return Found(first(pairs, problem.k), nearer, tied, proved, candidates)


def nothing_known(problem: Problem) -> Found:
    """What is known before any scan."""
    none = np.empty(0, np.int64)
    counts = np.zeros(len(problem.queries), np.int64)
    pairs = Pairs(none, none, np.empty(0), np.zeros(len(problem.queries) + 1, np.int64))
    return Found(pairs, counts, counts, np.zeros(len(problem.queries), bool), 0)


def merged(problem: Problem, known: Found, wanted: Integers, found: Found) -> Found:
    """``known`` with what a scan of the queries ``wanted`` alone has found in their places."""
    kept = ~np.isin(known.nearest.queries, wanted)
    nearest = ordered(
        np.concatenate((known.nearest.queries[kept], wanted[found.nearest.queries])),
        np.concatenate((known.nearest.rows[kept], found.nearest.rows)),
        np.concatenate((known.nearest.keys[kept], found.nearest.keys)),
        problem.ranks,
        len(problem.queries),
    )
    nearer, tied, proved = known.nearer.copy(), known.tied.copy(), known.proved.copy()
    nearer[wanted], tied[wanted], proved[wanted] = found.nearer, found.tied, found.proved
    return Found(nearest, nearer, tied, proved, known.candidates + found.candidates, known.scanned_again)
