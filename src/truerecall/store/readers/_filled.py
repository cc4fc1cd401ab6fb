"""What readers share whose rows can be read from any place: blocks into one buffer, picked rows in the file's order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.model.arrays import Integers, Vectors


@dataclass(frozen=True)
class FilledSource(ABC):
    """A CorpusSource over one file. The file is opened for each pass and never written to.

    ``dtype`` is in the machine's byte order. ``bits``: the number of bits in a row where rows are packed bits.
    """

    path: Path
    rows: int
    dimensions: int
    dtype: np.dtype[Any]
    bits: int | None

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def width(self) -> int:
        """How many values a row has in the file: bits are packed after reading."""
        return self.dimensions if self.bits is None else self.bits

    @abstractmethod
    def opened(self) -> AbstractContextManager[Any]:
        """What ``fill`` reads from, open for one pass."""

    @abstractmethod
    def fill(self, opened: Any, first: int, block: Vectors) -> None:
        """Fill ``block`` with the rows from ``first`` on."""

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        buffer = np.empty((min(rows, self.rows - start), self.dimensions), self.dtype)
        with self.opened() as opened:
            for first in range(start, self.rows, rows):
                block = buffer[: min(rows, self.rows - first)]
                self.fill(opened, first, block)
                yield first, block

    def take(self, rows: Integers) -> Vectors:
        taken = np.empty((len(rows), self.dimensions), self.dtype)
        with self.opened() as opened:
            # Neighbouring rows are read together, in the order of the file.
            order = np.argsort(rows, kind="stable")
            wanted = rows[order]
            breaks = np.flatnonzero(np.diff(wanted) != 1) + 1
            for run in np.split(np.arange(len(rows)), breaks):
                if len(run):
                    part = np.empty((len(run), self.dimensions), self.dtype)
                    self.fill(opened, int(wanted[run[0]]), part)
                    taken[order[run]] = part
        return taken


def packed_bytes(bits: int) -> int:
    """How many bytes a row of packed bits takes; the last one is filled up with zeros."""
    return -(-bits // 8)
