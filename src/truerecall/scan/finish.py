"""Exact keys for proposed pairs."""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np

from truerecall.kernels.distances import order_keys
from truerecall.kernels.exact import Pairs, count_ties, first, ordered
from truerecall.model.arrays import Booleans, Floats
from truerecall.scan.problem import Found, Problem
from truerecall.scan.proposals import Proposed

GATHERED_BYTES = 8 << 20
"""How much is gathered at a time for exact keys, by each thread."""


def exact_pairs(problem: Problem, proposed: Proposed, pool: Executor) -> Pairs:
    """The pairs in exact order; the vectors are read back in the order of rows, each once for its neighbours."""
    order = np.argsort(proposed.rows, kind="stable")
    queries, rows = proposed.queries[order], proposed.rows[order]
    source = problem.corpus.source
    step = max(1, GATHERED_BYTES // (source.dimensions * source.dtype.itemsize))

    def keys_of(start: int) -> Floats:
        part = slice(start, start + step)
        distinct, which = np.unique(rows[part], return_inverse=True)
        vectors = source.take(distinct)
        return order_keys(problem.distance.name, problem.queries.vectors, vectors, pairs=(queries[part], which))

    keys = np.concatenate([np.empty(0), *pool.map(keys_of, range(0, len(rows), step))])
    return ordered(queries, rows, keys, problem.ranks, len(problem.queries))


def counted(problem: Problem, pairs: Pairs, cuts: Floats, *, proved: Booleans, candidates: int) -> Found:
    """The k nearest of each query's pairs, and how many of all its pairs lie nearer than the cut or tie with it."""
    at_cut = problem.distances(cuts)
    nearer, tied = count_ties(pairs.queries, problem.distances(pairs.keys), at_cut, problem.bands(at_cut))
    return Found(first(pairs, problem.k), nearer, tied, proved, candidates)
