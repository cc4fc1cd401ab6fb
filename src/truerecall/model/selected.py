"""Some rows of another source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from truerecall.model.arrays import Integers, Vectors, frozen
from truerecall.model.picked import PickedSource
from truerecall.model.source import CorpusSource, refilled

SPARSE = 16
"""Where fewer than one row in so many is kept, rows are picked, else streamed and sifted."""


@dataclass(frozen=True, eq=False)
class SelectedSource(PickedSource):
    """Some rows of another source: those with the numbers ``kept``, ascending."""

    source: CorpusSource
    kept: Integers
    name: str
    picked_bytes = 16 << 20

    def __post_init__(self) -> None:
        object.__setattr__(self, "kept", frozen(self.kept))

    @property
    def numbers(self) -> Integers:
        return self.kept

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        if self.rows * SPARSE < self.source.rows:
            yield from super().blocks(rows, start)
        elif start < self.rows:
            yield from self._sifted(rows, start)

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
