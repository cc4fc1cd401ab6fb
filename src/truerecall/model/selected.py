"""Some rows of another source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.model.arrays import Integers, Vectors, frozen
from truerecall.model.source import CorpusSource, refilled

SPARSE = 16
"""Where fewer than one row in so many is kept, rows are picked, else streamed and sifted."""

PICKED_BYTES = 16 << 20
"""How much is picked at a time: a column of lists is decoded from its beginning for every pick."""


@dataclass(frozen=True, eq=False)
class SelectedSource:
    """Some rows of another source: those with the numbers ``kept``, ascending."""

    source: CorpusSource
    kept: Integers
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "kept", frozen(self.kept))

    @property
    def rows(self) -> int:
        return len(self.kept)

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
        if self.rows * SPARSE < self.source.rows:
            yield from self._picked(rows, start)
        elif start < self.rows:
            yield from self._sifted(rows, start)

    def take(self, rows: Integers) -> Vectors:
        return self.source.take(self.kept[rows])

    def _picked(self, rows: int, start: int) -> Iterator[tuple[int, Vectors]]:
        at_once = rows * max(1, PICKED_BYTES // (rows * self.dimensions * self.dtype.itemsize))
        for first in range(start, self.rows, at_once):
            picked = self.take(np.arange(first, min(self.rows, first + at_once)))
            for inside in range(0, len(picked), rows):
                yield first + inside, picked[inside : inside + rows]

    def _sifted(self, rows: int, start: int) -> Iterator[tuple[int, Vectors]]:
        buffer = np.empty((min(rows, self.rows - start), self.dimensions), self.dtype)
        yield from refilled(self._kept_of_blocks(rows, start), buffer, start)

    def _kept_of_blocks(self, rows: int, start: int) -> Iterator[Vectors]:
        done = start
        for at, block in self.source.blocks(rows, int(self.kept[start])):
            stop = int(np.searchsorted(self.kept, at + len(block)))
            yield block[self.kept[done:stop] - at]
            done = stop
            if done == self.rows:
                return
