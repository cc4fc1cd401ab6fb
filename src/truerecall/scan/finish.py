"""Exact keys for proposed pairs."""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np

from truerecall.kernels.distances import order_keys
from truerecall.kernels.exact import Pairs, count_ties, first, ordered
from truerecall.model.arrays import Floats, Integers
from truerecall.scan.problem import Found, Problem

GATHERED_PAIRS = 1 << 14
"""How many pairs are gathered at a time for their exact keys."""


def exact_pairs(problem: Problem, queries: Integers, rows: Integers, pool: Executor) -> Pairs:
    """The pairs in exact order; the vectors are read back in the order of rows, each once for its neighbours."""
    order = np.argsort(rows, kind="stable")
    queries, rows = queries[order], rows[order]

    def keys_of(start: int) -> Floats:
        part = slice(start, start + GATHERED_PAIRS)
        distinct, which = np.unique(rows[part], return_inverse=True)
        vectors = problem.corpus.source.take(distinct)
        return order_keys(problem.distance.name, problem.queries.vectors, vectors, pairs=(queries[part], which))

    keys = list(pool.map(keys_of, range(0, len(rows), GATHERED_PAIRS)))
    return ordered(queries, rows, np.concatenate([np.empty(0), *keys]), problem.ranks, len(problem.queries))


def counted(problem: Problem, pairs: Pairs, cuts: Floats) -> Found:
    """The k nearest of each query's pairs, and how many of all its pairs lie nearer than the cut or tie with it."""
    at_cut = problem.distances(cuts)
    nearer, tied = count_ties(pairs.queries, problem.distances(pairs.keys), at_cut, problem.bands(at_cut))
    return Found(first(pairs, problem.k), nearer, tied, np.isfinite(cuts), len(pairs.queries))
