"""Lists of neighbours, one for each query, each as long as it is: a short answer is short, never padded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.model.arrays import Floats, Ids, Integers, frozen


@dataclass(frozen=True, eq=False)
class Neighbors:
    """Neighbours of n queries, nearest first as the producer gave them.

    ``ids``: all lists one after another. ``distances``: the true distance of each in float64 (NaN where the corpus
    has no such id). ``offsets``: n + 1 positions; list i is ``ids[offsets[i]:offsets[i + 1]]``.
    """

    ids: Ids
    distances: Floats
    offsets: Integers

    def __post_init__(self) -> None:
        if self.offsets[0] != 0 or self.offsets[-1] != len(self.ids) or len(self.ids) != len(self.distances):
            raise ValueError("offsets, ids and distances of neighbours do not fit each other")
        for field in ("ids", "distances", "offsets"):
            object.__setattr__(self, field, frozen(getattr(self, field)))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Integers:
        return np.diff(self.offsets)

    @property
    def asking(self) -> Integers:
        """For each neighbour the place of its query."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def of_queries(self, queries: Integers) -> Neighbors:
        """The lists of some of the queries, in the order in which they are named."""
        lengths = self.lengths[queries]
        offsets = offsets_of(lengths)
        entries = np.arange(offsets[-1]) + np.repeat(self.offsets[:-1][queries] - offsets[:-1], lengths)
        return Neighbors(self.ids[entries], self.distances[entries], offsets)

    def spread(self, queries: Integers, count: int) -> Neighbors:
        """The same lists as those of the ``queries`` (ascending) among ``count``; all others are empty."""
        lengths = np.zeros(count, np.int64)
        lengths[queries] = self.lengths
        return Neighbors(self.ids, self.distances, offsets_of(lengths))

    def cut(self, depth: int) -> tuple[Neighbors, Neighbors]:
        """The first ``depth`` neighbours of every list, and those that come after them."""
        lengths = np.minimum(self.lengths, depth)
        runs = np.stack([lengths, self.lengths - lengths], axis=1).reshape(-1)
        inside = np.repeat(np.tile([True, False], len(self)), runs)
        first = Neighbors(self.ids[inside], self.distances[inside], offsets_of(lengths))
        return first, Neighbors(self.ids[~inside], self.distances[~inside], offsets_of(self.lengths - lengths))

    def followed_by(self, others: Neighbors) -> Neighbors:
        """Each list with the other's list of the same query after it."""
        order = np.argsort(np.concatenate([self.asking, others.asking]), kind="stable")
        ids, distances = np.concatenate([self.ids, others.ids]), np.concatenate([self.distances, others.distances])
        return Neighbors(ids[order], distances[order], self.offsets + others.offsets)

    def same(self, other: Neighbors | None) -> bool:
        """Whether the other's lists hold the same ids at the same distances; one that is not known equals itself."""
        if other is None:
            return False
        alike = np.array_equal(self.offsets, other.offsets) and np.array_equal(self.ids, other.ids)
        return alike and np.array_equal(self.distances, other.distances, equal_nan=True)

    def of(self, query: int) -> tuple[Ids, Floats]:
        """Ids and distances of one query, by its place."""
        part = slice(self.offsets[query], self.offsets[query + 1])
        return self.ids[part], self.distances[part]


def offsets_of(lengths: Integers) -> Integers:
    """Where each list begins, and where the last one ends, from their lengths."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
