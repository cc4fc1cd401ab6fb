"""Rows of one size, one after another in a file, read by positioned reads: no page counts as ours after its use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.errors import FormatError, InputError
from truerecall.model.arrays import Vectors
from truerecall.store.readers._filled import FilledSource, packed_bytes
from truerecall.store.readers._sniff import not_of_format

PIECE_BYTES = 1 << 20
"""How much is read at a time where rows cannot go straight into the block."""


@dataclass(frozen=True)
class RecordSource(FilledSource):
    """``start``: where the first record begins. ``stored``: the element type in the file, with its byte order, bool
    for bits. ``dimension_first``: each row follows a little-endian int32 that repeats its dimension.
    """

    start: int
    stored: np.dtype[Any]
    dimension_first: bool

    @property
    def record(self) -> np.dtype[Any]:
        row = ("row", self.stored, (self.width,))
        return np.dtype([("dimension", "<i4"), row] if self.dimension_first else [row])

    @contextmanager
    def opened(self) -> Iterator[int]:
        with self.path.open("rb", buffering=0) as file:
            yield file.fileno()

    def fill(self, opened: int, first: int, block: Vectors) -> None:
        if not self.dimension_first and self.bits is None:
            self._read(opened, first, block)
            if not self.stored.isnative:
                block.byteswap(inplace=True)
            return
        step = max(1, PIECE_BYTES // self.record.itemsize)
        records = np.empty(min(step, len(block)), self.record)
        for done in range(0, len(block), step):
            piece = records[: min(step, len(block) - done)]
            self._read(opened, first + done, piece)
            if self.dimension_first:
                self._demand_dimension(first + done, piece["dimension"])
            rows = piece["row"]
            block[done : done + len(piece)] = rows if self.bits is None else np.packbits(rows, axis=1)

    def _read(self, descriptor: int, first: int, target: Any) -> None:
        raw = target.view(np.uint8).reshape(-1)
        offset = self.start + first * self.record.itemsize
        done = 0
        while done < len(raw):
            got = os.preadv(descriptor, [raw[done:].data], offset + done)
            if got == 0:
                raise FormatError(
                    f"{self.path} ended early: it was cut while it was read", "restore it and start again"
                )
            done += got

    def _demand_dimension(self, first: int, announced: Any) -> None:
        wrong = np.flatnonzero(announced != self.width)
        if len(wrong):
            raise FormatError(
                f"{self.path}: row {first + wrong[0]} announces {announced[wrong[0]]} dimensions, row 0 {self.width}",
                "write the file again with rows of one length",
            )


def record_source(
    path: Path, ending: str, rows: int, width: int, stored: np.dtype[Any], *, start: int, dimension_first: bool = False
) -> RecordSource:
    """The source, once its header has been held against the size of the file. ``ending`` is what the file claims."""
    if rows < 1 or width < 1:
        raise not_of_format(path, ending, f"{rows} rows of {width} dimensions announced")
    is_bits = stored.kind == "b"
    dimensions, dtype = (packed_bytes(width), np.dtype(np.uint8)) if is_bits else (width, stored.newbyteorder("="))
    bits = width if is_bits else None
    demand_size(path, ending, rows, width, stored, start=start, lead=4 if dimension_first else 0)
    return RecordSource(path, rows, dimensions, dtype, bits, start, stored, dimension_first)


def demand_size(
    path: Path, ending: str, rows: int, width: int, stored: np.dtype[Any], *, start: int, lead: int = 0
) -> None:
    """Raises FormatError unless the file ends where its header says."""
    held, row_bytes = path.stat().st_size - start, lead + announced_bytes(1, width, stored.itemsize)
    if held == rows * row_bytes:
        return
    if held >= 0 and held % row_bytes == 0:
        seen = f"{rows} rows announced, {held // row_bytes} held"
    else:
        seen = f"{rows} rows of {width} {stored.name} announced ({rows * row_bytes} bytes), {held} bytes held"
    raise not_of_format(path, ending, seen)


def announced_bytes(rows: Any, width: Any, itemsize: int) -> int:
    """How many bytes so many rows take; header values of any integer type, never computed in their 32 bits."""
    return int(rows) * int(width) * int(itemsize)


def header(path: Path, ending: str, count: int) -> list[int]:
    """The first ``count`` little-endian uint32 of a file, as plain integers."""
    with path.open("rb") as file:
        raw = file.read(4 * count)
    if len(raw) < 4 * count:
        raise not_of_format(path, ending, f"{len(raw)} bytes held, too few for a header")
    return [int(value) for value in np.frombuffer(raw, "<u4")]


def wrong_elements(path: Path, found: object, known: str) -> InputError:
    """The refusal of a file whose values are of a type that no vector has."""
    return InputError(f"{path} holds elements of type {found}", f"save it as one of {known}")
