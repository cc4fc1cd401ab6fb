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

    def of(self, query: int) -> tuple[Ids, Floats]:
        """Ids and distances of one query, by its place."""
        part = slice(self.offsets[query], self.offsets[query + 1])
        return self.ids[part], self.distances[part]


def offsets_of(lengths: Integers) -> Integers:
    """Where each list begins, and where the last one ends, from their lengths."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
