"""Vectors in a column of lists: what Parquet and Arrow files share.

The column is the one named, or the only one that holds lists of numbers. A column ``id`` names the rows. Lists of
bool are packed bits, eight values to a byte.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa

from truerecall.errors import FormatError, InputError
from truerecall.model.arrays import Ids, Integers, Vectors
from truerecall.model.source import refilled
from truerecall.store.columns import ids_from
from truerecall.store.readers._filled import packed_bytes
from truerecall.store.readers._records import wrong_elements
from truerecall.store.readers._types import ELEMENT_TYPES

ARROW_NAMES = {"double": "float64", "float": "float32", "halffloat": "float16", "bool": "bool"}
DAMAGE = (pa.ArrowException, OSError, UnicodeError)
"""What PyArrow raises at a damaged file."""

DECODED_ROWS = 1024
"""How many rows are decoded at a time."""


@dataclass(frozen=True)
class Part:
    """A stretch of rows that is read on its own: row group or record batch ``number`` of ``file``."""

    file: Path
    number: int
    first: int
    rows: int


@dataclass(frozen=True)
class ColumnSource(ABC):
    """A CorpusSource over a column of lists, decoded a few rows at a time. ``column``: its name."""

    path: Path
    column: str
    rows: int
    dimensions: int
    dtype: np.dtype[Any]
    bits: int | None
    parts: tuple[Part, ...]

    @property
    def name(self) -> str:
        return str(self.path)

    @abstractmethod
    def columns(self, file: Path) -> list[str]:
        """The names of the columns of a file."""

    @abstractmethod
    def batches(self, part: Part, column: str, rows: int) -> Iterator[pa.Array]:
        """A column of one part, at most ``rows`` values at a time."""

    def measured(self, field: pa.Field) -> Self:
        """This source with the dimensions and bits that its first row shows. Raises InputError where it has no row."""
        if not self.parts:
            raise InputError(f"{self.path} holds 0 rows", "give at least one vector")
        first = next(self.batches(self.parts[0], self.column, 1))
        _, dimensions, bits = shape_of(self.path, field, first)
        return replace(self, dimensions=dimensions, bits=bits)

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        buffer = np.empty((min(rows, self.rows - start), self.dimensions), self.dtype)
        yield from refilled(self._vectors_from(start), buffer, start)

    def _vectors_from(self, start: int) -> Iterator[Vectors]:
        for part in self.parts:
            if part.first + part.rows > start:
                for at, decoded in self._vectors(part):
                    yield decoded[max(0, start - at) :]

    def take(self, rows: Integers) -> Vectors:
        taken = np.empty((len(rows), self.dimensions), self.dtype)
        order = np.argsort(rows, kind="stable")
        wanted = rows[order]
        for part in self.parts:
            done, end = np.searchsorted(wanted, (part.first, part.first + part.rows))
            if done == end:
                continue
            for start, vectors in self._vectors(part):
                stop = int(np.searchsorted(wanted, start + len(vectors)))
                taken[order[done:stop]] = vectors[wanted[done:stop] - start]
                done = stop
                if done == end:
                    break
        return taken

    def own_ids(self, column: str = "id") -> Ids:
        """The ids in another column."""
        chunked = self.other_column(column)
        if chunked.null_count:
            raise FormatError(f"{self.path}: {chunked.null_count} values of column {column} are missing", "fill them")
        return ids_from(chunked, what=f"{self.path} column {column}")

    def other_column(self, column: str) -> pa.ChunkedArray:
        """A column beside the vectors, whole. Raises InputError where a file lacks it, or files disagree in its type by
        more than the width of it."""
        tables = [pa.table({column: array}) for part in self.parts for array in self._other(part, column)]
        kinds = {table.schema.types[0] for table in tables}
        try:
            whole = pa.concat_tables(tables, promote_options="permissive").column(0)
        except pa.ArrowException:
            whole = None
        made_up = whole is not None and pa.types.is_floating(whole.type) and not all(map(pa.types.is_floating, kinds))
        if whole is None or made_up:
            seen = " and ".join(sorted(map(str, kinds)))
            raise InputError(f"{self.path}: column {column} holds {seen} in its files", "give files of one type")
        return whole

    def _other(self, part: Part, column: str) -> Iterator[pa.Array]:
        if column not in self.columns(part.file):
            raise InputError(f"{part.file} has no column {column}, which other files of {self.path} have", "add it")
        return self.batches(part, column, max(1, part.rows))

    def _vectors(self, part: Part) -> Iterator[tuple[int, Vectors]]:
        start, width = part.first, self.dimensions if self.bits is None else self.bits
        for array in self.batches(part, self.column, DECODED_ROWS):
            vectors = self._matrix(array, start, width)
            yield start, vectors if self.bits is None else np.packbits(vectors, axis=1)
            start += len(array)
        if start != part.first + part.rows:
            raise FormatError(f"{part.file} ended early: it was changed while it was read", "start again")

    def _matrix(self, array: pa.Array, start: int, width: int) -> Vectors:
        if array.null_count:
            row = start + int(np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False))[0])
            raise FormatError(f"{self.path}: row {row} of column {self.column} is missing", "fill or drop such rows")
        lengths = lengths_of(array)
        wrong = np.flatnonzero(lengths != width)
        if len(wrong):
            raise FormatError(
                f"{self.path}: row {start + wrong[0]} of column {self.column} has {lengths[wrong[0]]} dimensions,"
                f" row 0 has {width}",
                "give vectors of one length",
            )
        values = array.flatten()
        if values.null_count:
            row = start + int(np.flatnonzero(values.is_null().to_numpy(zero_copy_only=False))[0]) // width
            raise FormatError(f"{self.path}: row {row} of column {self.column} has a missing value", "fill or drop it")
        if len(values) != len(array) * width:
            raise FormatError(f"{self.path} is damaged in column {self.column}", "restore it, or make it again")
        return np.asarray(values.to_numpy(zero_copy_only=False)).reshape(len(array), width)


def column_of(path: Path, schema: pa.Schema, named: str | None) -> pa.Field:
    """The column of vectors. Raises InputError where it is not there, or where several could be meant."""
    names = schema.names
    lists = [field for field in schema if is_list(field.type)]
    if named is None:
        if len(lists) != 1:
            seen = f"{len(lists)} columns of lists ({', '.join(f.name for f in lists)})" if lists else "no such column"
            raise InputError(f"{path} has {seen} among {', '.join(names)}", f"name one: {path}::COLUMN")
        return lists[0]
    if named not in names:
        raise InputError(f"{path} has no column {named}, only {', '.join(names)}", f"name one: {path}::COLUMN")
    field = schema.field(named)
    if not is_list(field.type):
        raise InputError(f"{path}: column {named} holds {field.type} and no lists", "name a column of vectors")
    return field


def lengths_of(lists: pa.Array) -> Integers:
    """The length of each list."""
    if pa.types.is_fixed_size_list(lists.type):
        return np.full(len(lists), lists.type.list_size, np.int64)
    return np.asarray(lists.value_lengths().to_numpy(zero_copy_only=False), np.int64)


def is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def element_of(path: Path, field: pa.Field) -> tuple[np.dtype[Any], bool]:
    """The element type of the vectors in memory, and whether they are bits to be packed."""
    spelt = str(field.type.value_type)
    name = ARROW_NAMES.get(spelt, spelt)
    if name == "bool":
        return np.dtype(np.uint8), True
    if name not in ELEMENT_TYPES:
        raise wrong_elements(path, spelt, ", ".join(ELEMENT_TYPES))
    return np.dtype(name), False


def shape_of(path: Path, field: pa.Field, first: pa.Array) -> tuple[int, int, int | None]:
    """Width, dimensions and bits of the vectors, from the first of them."""
    width = (
        field.type.list_size if pa.types.is_fixed_size_list(field.type) else int(first.value_lengths()[0].as_py() or 0)
    )
    if width < 1:
        raise InputError(f"{path}: the first vector of column {field.name} is empty", "give at least one dimension")
    is_bits = element_of(path, field)[1]
    return width, packed_bytes(width) if is_bits else width, width if is_bits else None
