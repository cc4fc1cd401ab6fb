"""Where vectors come from: a protocol that file readers and live engines fulfil, and the one kept in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


class HereAlone:
    """A base for sources that no other process can read: one that needs the vectors is given a copy of them."""


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


def refilled(pieces: Iterable[Vectors], buffer: Vectors, first: int) -> Iterator[tuple[int, Vectors]]:
    """Pieces of any length as blocks of the buffer's, the last one shorter, each with the number of its first row.

    ``first`` is that of the first piece. Every block lies in the buffer, and the next one overwrites it.
    """
    filled = 0
    for piece in pieces:
        rest = piece
        while len(rest):
            taken = rest[: len(buffer) - filled]
            buffer[filled : filled + len(taken)] = taken
            filled += len(taken)
            rest = rest[len(taken) :]
            if filled == len(buffer):
                yield first, buffer
                first, filled = first + filled, 0
    if filled:
        yield first, buffer[:filled]
