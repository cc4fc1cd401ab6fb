"""Order within groups, all groups at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Singles = NDArray[np.float32]


def kth_largest(groups: Integers, values: Singles, k: int, group_count: int) -> Singles:
    """For each group its k-th largest value, shape (group_count,); minus infinity where it has fewer than k. NaN counts
    as the largest."""
    order = stable_order(groups)
    groups, values = groups[order], values[order]
    counts = np.bincount(groups, minlength=group_count)
    ends = np.cumsum(counts)
    starts = ends - counts
    found = np.full(group_count, -np.inf, np.float32)
    enough = counts >= k
    # Groups of about one size are the rows of a matrix, filled up with what comes last; a few large ones would make
    # it wide, and go by themselves.
    width = 2 * len(groups) // max(1, group_count) + 2 * k
    for group in np.flatnonzero(counts > width):
        found[group] = _kth(values[None, starts[group] : ends[group]], k)[0]
    narrow = np.flatnonzero(enough & (counts <= width))
    if len(narrow):
        matrix = np.full((len(narrow), int(counts[narrow].max())), -np.inf, np.float32)
        filled = np.arange(matrix.shape[1]) < counts[narrow, None]
        chosen = np.zeros(group_count, np.bool_)
        chosen[narrow] = True
        matrix[filled] = values[chosen[groups]]
        found[narrow] = _kth(matrix, k)
    return found


def _kth(rows: Singles, k: int) -> Singles:
    place = rows.shape[1] - k
    return np.asarray(np.partition(rows, place, axis=1)[:, place])


def order_within(groups: Integers, keys: Floats, ranks: Integers) -> Integers:
    """The places of the pairs in the order of group, then key, then rank."""
    order = np.argsort(keys)
    order = order[stable_order(groups[order])]
    groups, keys = groups[order], keys[order]
    tied = np.zeros(len(order) + 1, np.bool_)  # with the one before
    tied[1:-1] = (groups[1:] == groups[:-1]) & (keys[1:] == keys[:-1])
    places = np.flatnonzero(tied[:-1] | tied[1:])
    if len(places):
        mine = order[places]
        order[places] = mine[np.lexsort((ranks[mine], keys[places], groups[places]))]
    return order


def stable_order(groups: NDArray[Any]) -> Integers:
    """The places in ascending order of group, equal ones as they came. Groups are whole numbers from 0."""
    # Only numbers of 16 bits are sorted by radix, many times faster.
    order = np.argsort(groups.astype(np.uint16), kind="stable")
    high = groups >> 16
    return order if not high.any() else order[stable_order(high[order])]
