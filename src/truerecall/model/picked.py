"""Rows of another source under other numbers: what selections and permutations have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from truerecall.model.arrays import Integers, Vectors
from truerecall.model.source import CorpusSource


class PickedSource(ABC):
    """A base for sources of which row i is row ``numbers[i]`` of the ``source``.

    ``picked_bytes``: how much is picked at a time. A column of lists is decoded from its beginning for every pick.
    """

    source: CorpusSource
    picked_bytes: ClassVar[int]

    @property
    @abstractmethod
    def numbers(self) -> Integers: ...

    @property
    def rows(self) -> int:
        return len(self.numbers)

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
        at_once = rows * max(1, self.picked_bytes // (rows * self.dimensions * self.dtype.itemsize))
        for first in range(start, self.rows, at_once):
            picked = self.take(np.arange(first, min(self.rows, first + at_once)))
            for inside in range(0, len(picked), rows):
                yield first + inside, picked[inside : inside + rows]

    def take(self, rows: Integers) -> Vectors:
        return self.source.take(self.numbers[rows])
