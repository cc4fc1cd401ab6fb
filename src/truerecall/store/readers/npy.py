"""Vectors in NumPy's .npy format, read by positioned reads: no page of the file counts as ours after it is used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.errors import FormatError, InputError
from truerecall.model.arrays import Integers, Vectors

ELEMENT_TYPES = ("float64", "float32", "float16", "int8", "uint8")
MAGIC = b"\x93NUMPY"


@dataclass(frozen=True)
class NpySource:
    """A two-dimensional array in a .npy file. The file is opened for each pass and never written to.

    ``dtype`` is in the machine's byte order; ``swapped``: the file's is the other one.
    """

    path: Path
    rows: int
    dimensions: int
    dtype: np.dtype[Any]
    start: int
    swapped: bool

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def row_bytes(self) -> int:
        return self.dimensions * self.dtype.itemsize

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        buffer = np.empty((min(rows, self.rows), self.dimensions), self.dtype)
        with self.path.open("rb", buffering=0) as file:
            for first in range(start, self.rows, rows):
                block = buffer[: min(rows, self.rows - first)]
                self._fill(file.fileno(), first, block)
                yield first, block

    def take(self, rows: Integers) -> Vectors:
        taken = np.empty((len(rows), self.dimensions), self.dtype)
        with self.path.open("rb", buffering=0) as file:
            # Neighbouring rows are read together; each row is read once and in the order of the file.
            order = np.argsort(rows, kind="stable")
            wanted = rows[order]
            breaks = np.flatnonzero(np.diff(wanted) != 1) + 1
            for run in np.split(np.arange(len(rows)), breaks):
                if len(run):
                    part = np.empty((len(run), self.dimensions), self.dtype)
                    self._fill(file.fileno(), int(wanted[run[0]]), part)
                    taken[order[run]] = part
        return taken

    def _fill(self, descriptor: int, first: int, block: Vectors) -> None:
        target = block.view(np.uint8).reshape(-1)
        offset = self.start + first * self.row_bytes
        done = 0
        while done < len(target):
            got = os.preadv(descriptor, [target[done:].data], offset + done)
            if got == 0:
                raise FormatError(
                    f"{self.path} ended early: it was cut while it was read", "restore it and start again"
                )
            done += got
        if self.swapped:
            block.byteswap(inplace=True)


def open_npy(path: Path) -> NpySource:
    """The vectors in ``path``. Raises InputError or FormatError in one line for everything that is not such a file.

    The header is checked against the size of the file before anything is allocated.
    """
    with path.open("rb") as file:
        magic = file.read(len(MAGIC))
        if magic != MAGIC:
            raise FormatError(f"{path} is not a .npy file (it starts with {magic!r})", "save it with numpy.save")
        file.seek(0)
        shape, fortran, dtype = _header(path, file)
        start = file.tell()
    if len(shape) != 2:
        raise InputError(f"{path} holds an array of shape {shape}", "give vectors of shape (rows, dimensions)")
    if dtype.newbyteorder("=").name not in ELEMENT_TYPES:
        raise InputError(f"{path} holds elements of type {dtype}", f"save it as one of {', '.join(ELEMENT_TYPES)}")
    if fortran and min(shape) > 1:
        raise InputError(f"{path} is stored column by column", "save numpy.ascontiguousarray(vectors)")
    rows, dimensions = (int(length) for length in shape)
    if rows == 0 or dimensions == 0:
        raise InputError(f"{path} holds {rows} rows of {dimensions} dimensions", "give at least one vector")
    held = path.stat().st_size - start
    announced = rows * dimensions * dtype.itemsize
    if held != announced:
        raise FormatError(
            f"{path} announces {rows} rows of {dimensions} {dtype} ({announced} bytes) and holds {held} bytes",
            "write the file again",
        )
    return NpySource(path, rows, dimensions, dtype.newbyteorder("="), start, swapped=not dtype.isnative)


def _header(path: Path, file: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    try:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = read(file)
    except ValueError as error:
        raise FormatError(f"the header of {path} cannot be read ({error})", "save it with numpy.save") from None
    return shape, fortran, dtype
