"""Rows that are nearly equal, found without comparing all pairs.

Rows are hashed TABLES times: coordinates fall into GROUPS parts, each is summed under random signs, and the sums are
cut into cells of width CELL times the tolerance. Two rows within the tolerance share all cells of one table with a
probability of at least 1 - sqrt(GROUPS) / CELL = 0.79 (the mean of a random sum of the difference is at most its
length, which it reaches where one coordinate makes up the difference; Cauchy-Schwarz over the groups), so that at most
two such pairs in 1,000 are missed by all four tables. Pairs that share a bucket are then measured in float64.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from truerecall.kernels.distances import order_keys

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

TABLES = 4
GROUPS = 8
CELL = 14.0
LARGEST = 1e15
"""Beyond this a square leaves float32 sooner or later; such rows are near nothing."""
MIXER = np.uint64(0x9E3779B97F4A7C15)
FETCHED_ROWS = 1 << 14
LEADERS, PAIRS_AT_ONCE = 256, 1 << 21
"""How many rows of a bucket are held against the others at a time, and how many pairs at most."""


class Sketch:
    """Hashes rows of ``dimensions`` values, by the seed. ``tolerance``: the distance up to which rows are nearly
    equal."""

    def __init__(self, dimensions: int, tolerance: float, seed: int) -> None:
        rng = np.random.default_rng(seed)
        groups = min(GROUPS, dimensions)
        self._width = CELL * tolerance
        self.tables = TABLES
        self._tables = []
        for _ in range(TABLES):
            signs = rng.choice([-1.0, 1.0], dimensions)
            parts = np.array_split(rng.permutation(dimensions), groups)
            offsets = rng.random(groups) * self._width
            multipliers = rng.integers(1, 2**63, groups, dtype=np.int64).astype(np.uint64) | np.uint64(1)
            self._tables.append((signs, parts, offsets, multipliers))

    def buckets(self, rows: Floats) -> NDArray[np.uint64]:
        """For each row its bucket in each table: shape (rows, TABLES). Each row's depend on that row alone."""
        found = np.empty((len(rows), TABLES), np.uint64)
        for table, (signs, parts, offsets, multipliers) in enumerate(self._tables):
            hashed = np.zeros(len(rows), np.uint64)
            for part, offset, multiplier in zip(parts, offsets, multipliers, strict=True):
                sums = np.add.reduce(np.ascontiguousarray(rows[:, part] * signs[part]), axis=-1)
                # Their bits are hashed: a sum may lie beyond all integers. Adding zero makes one of two zeros.
                cells = (np.floor((sums + offset) / self._width) + 0.0).view(np.uint64)
                hashed = (hashed ^ (cells * multiplier)) * MIXER
                hashed ^= hashed >> np.uint64(29)
            found[:, table] = hashed
        return found


def later_near_duplicates(
    buckets: NDArray[np.uint64], tolerance: float, fetch: Callable[[Integers], Floats]
) -> NDArray[np.bool_]:
    """True for each row within the ``tolerance`` of an earlier one of its bucket that was itself kept.

    ``fetch`` gives the vectors of rows by their places, which is the order that ``earlier`` means.
    """
    dropped = np.zeros(len(buckets), np.bool_)
    for table in range(buckets.shape[1]):
        kept = np.flatnonzero(~dropped)
        for batch in _batches(_shared(kept, buckets[kept, table])):
            vectors = fetch(np.concatenate(batch))
            for bucket, own in zip(batch, np.split(vectors, np.cumsum([len(b) for b in batch])[:-1]), strict=True):
                dropped[bucket[_later(own, tolerance)]] = True
    return dropped


def _shared(places: Integers, keys: NDArray[np.uint64]) -> list[Integers]:
    """The places of each bucket that holds several, ascending."""
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=~keys[order[:1]]))
    ends = np.append(starts[1:], len(order))
    several = ends - starts > 1
    return [places[order[start:end]] for start, end in zip(starts[several], ends[several], strict=True)]


def _batches(buckets: list[Integers]) -> list[list[Integers]]:
    """Buckets gathered until they hold enough rows to be fetched at once."""
    batches: list[list[Integers]] = []
    held = FETCHED_ROWS
    for bucket in buckets:
        if held >= FETCHED_ROWS:
            batches.append([])
            held = 0
        batches[-1].append(bucket)
        held += len(bucket)
    return batches


def _later(vectors: Floats, tolerance: float) -> Integers:
    """The places of vectors that are near an earlier one that is not among them. A product in float32 proposes pairs,
    with slack for the most that it can be off by, and float64 decides."""
    with np.errstate(over="ignore"):
        rough = (vectors - vectors.mean(axis=0)).clip(-LARGEST, LARGEST).astype(np.float32)
    squares = np.add.reduce(rough * rough, axis=1)
    bound, slack = np.float32(tolerance * tolerance * 1.001), np.float32((vectors.shape[1] + 8) * 2.0**-22)
    left = np.arange(len(vectors))
    later = []
    while len(left) > 1:
        head = left[: max(1, min(LEADERS, PAIRS_AT_ONCE // len(left)))]
        spread = squares[head][:, None] + squares[left]
        close = spread - 2 * (rough[head] @ rough[left].T) <= bound + spread * slack
        leaders, others = np.nonzero(np.triu(close, 1))
        near = order_keys("l2", vectors[head[leaders]], vectors[left[others]]) <= tolerance * tolerance
        gone = np.zeros(len(left), np.bool_)
        leaders, others = leaders[near], others[near]
        for leader in np.unique(leaders):
            if not gone[leader]:
                gone[others[leaders == leader]] = True
        later.append(left[gone])
        left = left[len(head) :][~gone[len(head) :]]
    return np.concatenate([np.empty(0, np.int64), *later])
