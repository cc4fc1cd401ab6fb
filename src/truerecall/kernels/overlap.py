"""Which ids of an answer are among the true neighbours, and where.

Lists come as integer codes, one row per query; a negative code is padding and is never an id.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

MISS = -1
"""The place in the truth of an id that the truth does not hold."""

SPENT = -2
"""Stands for padding, and for an id that came before in the same answer."""

QUERIES_AT_ONCE = 512


def match(truth: Integers, found: Integers) -> Integers:
    """For each entry of ``found`` (queries, places) its column in ``truth`` (queries, depth), MISS or SPENT.

    A code that the truth repeats has its last column there.
    """
    places = np.empty(found.shape, np.int64)
    largest = max((int(side.max()) for side in (truth, found) if side.size), default=0)
    bits = max(1, truth.shape[1], found.shape[1]).bit_length()
    if largest >> (61 - bits):
        raise ValueError("codes are too large to be packed with their places")
    for start in range(0, len(found), QUERIES_AT_ONCE) if found.shape[1] else ():
        part = slice(start, start + QUERIES_AT_ONCE)
        places[part] = _match(truth[part], found[part], bits)
    return places


def _match(truth: Integers, found: Integers, bits: int) -> Integers:
    # One sort of both sides, each code with its side and column packed behind it: a code that both hold shows as one
    # step from the side of the truth (even) to the side of the answer (odd), and its repeats in the answer as no step.
    depth, width = truth.shape[1], truth.shape[1] + found.shape[1]
    keys = np.empty((len(truth), width), np.int64)
    np.left_shift(truth, bits + 1, out=keys[:, :depth])
    keys[:, :depth] |= np.arange(depth)
    np.left_shift(found, bits + 1, out=keys[:, depth:])
    keys[:, depth:] |= np.arange(found.shape[1]) | (1 << bits)
    keys.sort(axis=1)
    places = np.where(found < 0, SPENT, MISS)
    flat = keys.ravel()
    sides = flat >> bits
    steps, odd = np.diff(sides), (sides & 1).astype(np.bool_)
    inside = np.ones(max(0, flat.size - 1), np.bool_)
    inside[width - 1 :: width] = False  # the step to the next query
    inside &= odd[1:] & (sides[:-1] >= 0)
    column = (1 << bits) - 1
    hit = np.flatnonzero(inside & (steps == 1))
    places[hit // width, flat[hit + 1] & column] = flat[hit] & column
    again = np.flatnonzero(inside & (steps == 0)) + 1
    places[again // width, flat[again] & column] = SPENT
    return places


def listed(codes: Integers, lists: tuple[Integers, ...]) -> Booleans:
    """For each entry of ``codes`` (queries, depth) whether it is in the list of its own query; padding never is."""
    span = 1 + max((int(part.max()) for part in (codes, *lists) if part.size), default=0)
    queries = np.arange(len(lists), dtype=np.int64)
    of_query = np.repeat(queries, [len(part) for part in lists])
    pairs = of_query * span + (np.concatenate(lists) if lists else np.empty(0, np.int64))
    return np.isin(queries[:, None] * span + codes, pairs) & (codes >= 0)
