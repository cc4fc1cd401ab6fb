"""The rows of another source in another order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.model.arrays import Integers, Vectors, frozen
from truerecall.model.source import CorpusSource

PICKED_BYTES = 64 << 20
"""How much is picked at a time: a column of lists is decoded from its beginning for every pick."""


@dataclass(frozen=True, eq=False)
class PermutedSource:
    """Row i is row ``order[i]`` of the ``source``; each of its rows occurs once."""

    source: CorpusSource
    order: Integers

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", frozen(self.order))

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def rows(self) -> int:
        return self.source.rows

    @property
    def dimensions(self) -> int:
        return self.source.dimensions

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.source.dtype

    @property
    def bits(self) -> int | None:
        return self.source.bits

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        at_once = rows * max(1, PICKED_BYTES // (rows * self.dimensions * self.dtype.itemsize))
        for first in range(start, self.rows, at_once):
            picked = self.source.take(self.order[first : first + at_once])
            for inside in range(0, len(picked), rows):
                yield first + inside, picked[inside : inside + rows]

    def take(self, rows: Integers) -> Vectors:
        return self.source.take(self.order[rows])

    def original(self, rows: Integers) -> Integers:
        """The same rows by their numbers in the source; what is no row number stays as it is."""
        known = (rows >= 0) & (rows < self.rows)
        return np.where(known, self.order[np.where(known, rows, 0)], rows)
