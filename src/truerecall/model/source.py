"""Where vectors come from: a protocol that file readers and live engines fulfil, the one kept in memory, and some rows
of another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from truerecall.model.arrays import Integers, Vectors, frozen


class CorpusSource(Protocol):
    """Vectors that can be streamed in blocks and picked by row number.

    ``name`` is what messages call it. ``dtype`` is the element type as stored; blocks come in it, never converted.
    ``bits``: how many bits a row has where rows are packed bits, eight to a byte of uint8 and the first one the
    highest, else None; ``dimensions`` then counts bytes, and the bits that fill up the last byte are zero.
    """

    @property
    def name(self) -> str: ...
    @property
    def rows(self) -> int: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def bits(self) -> int | None: ...

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        """The vectors from row ``start`` on, at most ``rows`` at a time, each block with the number of its first row.

        A block may be a view into a buffer that the next block overwrites.
        """
        ...

    def take(self, rows: Integers) -> Vectors:
        """The vectors at these row numbers, in this order, as an array of its own."""
        ...


@dataclass(frozen=True, eq=False)
class ArraySource:
    """Vectors that are in memory already: an array of shape (rows, dimensions)."""

    vectors: Vectors
    name: str = "array"
    bits: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "vectors", frozen(np.ascontiguousarray(self.vectors)))

    @property
    def rows(self) -> int:
        return int(self.vectors.shape[0])

    @property
    def dimensions(self) -> int:
        return int(self.vectors.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.vectors.dtype

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        for first in range(start, self.rows, rows):
            yield first, self.vectors[first : first + rows]

    def take(self, rows: Integers) -> Vectors:
        return self.vectors[rows]


SPARSE = 16
"""Where fewer than one row in so many is kept, rows are picked, else streamed and sifted."""


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
            for first in range(start, self.rows, rows):
                yield first, self.take(np.arange(first, min(first + rows, self.rows)))
        elif start < self.rows:
            yield from self._sifted(rows, start)

    def take(self, rows: Integers) -> Vectors:
        return self.source.take(self.kept[rows])

    def _sifted(self, rows: int, start: int) -> Iterator[tuple[int, Vectors]]:
        buffer = np.empty((min(rows, self.rows - start), self.dimensions), self.dtype)
        first, done, filled = start, start, 0
        for at, block in self.source.blocks(rows, int(self.kept[start])):
            stop = int(np.searchsorted(self.kept, at + len(block)))
            chosen = block[self.kept[done:stop] - at]
            done = stop
            while len(chosen):
                taken = chosen[: len(buffer) - filled]
                buffer[filled : filled + len(taken)] = taken
                filled += len(taken)
                chosen = chosen[len(taken) :]
                if filled == len(buffer):
                    yield first, buffer
                    first, filled = first + filled, 0
            if done == self.rows:
                break
        if filled:
            yield first, buffer[:filled]
