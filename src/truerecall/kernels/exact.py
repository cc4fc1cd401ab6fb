"""The end of every scan: exact keys decide, and what ties at the cut is counted.

All functions work on pairs: parallel arrays with the place of a query, a row of the corpus and the key of the pair.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truerecall.kernels.ranking import order_within

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs in the order of queries, and of each query from the nearest row on. ``starts``: where each query begins."""

    queries: Integers
    rows: Integers
    keys: Floats
    starts: Integers

    def counts(self) -> Integers:
        return np.diff(self.starts)


def ordered(queries: Integers, rows: Integers, keys: Floats, ranks: Integers | None, query_count: int) -> Pairs:
    """Sort pairs by query, key and tie rank (the row number where ``ranks`` is None)."""
    order = order_within(queries, keys, rows if ranks is None else ranks[rows])
    queries = queries[order]
    starts = np.searchsorted(queries, np.arange(query_count + 1))
    return Pairs(queries, rows[order], keys[order], starts.astype(np.int64))


def first(pairs: Pairs, k: int) -> Pairs:
    """The first k pairs of each query, or all where it has fewer."""
    place = np.arange(len(pairs.queries)) - pairs.starts[pairs.queries]
    keep = place < k
    counts = np.minimum(pairs.counts(), k)
    starts = np.concatenate(([0], np.cumsum(counts)))
    return Pairs(pairs.queries[keep], pairs.rows[keep], pairs.keys[keep], starts)


def keys_at_cut(pairs: Pairs, k: int) -> Floats:
    """The key of each query's k-th pair; infinite where it has fewer than k."""
    keys = np.full(len(pairs.starts) - 1, np.inf)
    enough = pairs.counts() >= k
    keys[enough] = pairs.keys[pairs.starts[:-1][enough] + k - 1]
    return keys


def count_ties(queries: Integers, distances: Floats, cuts: Floats, bands: Floats) -> tuple[Integers, Integers]:
    """For each query how many pairs lie nearer than its tie band, and how many inside it."""
    offset = distances - cuts[queries]
    nearer = np.bincount(queries[offset < -bands[queries]], minlength=len(cuts))
    tied = np.bincount(queries[np.abs(offset) <= bands[queries]], minlength=len(cuts))
    return nearer.astype(np.int64), tied.astype(np.int64)
