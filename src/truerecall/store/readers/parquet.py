"""Parquet: a file, or a folder of them in the order of their names, read a few rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from truerecall.errors import FormatError, InputError
from truerecall.model.foreign import ForeignLists
from truerecall.store.readers._columns import (
    DAMAGE,
    ColumnSource,
    Part,
    column_of,
    element_of,
)
from truerecall.store.readers._sniff import not_of_format
from truerecall.store.readers._table_lists import lists_of_table

READ_BYTES = 1 << 20


@dataclass(frozen=True)
class ParquetSource(ColumnSource):
    """Each part is a row group; its pages are read and decoded one after another: memory does not grow with it."""

    def columns(self, file: Path) -> list[str]:
        return parquet_columns(file)

    def batches(self, part: Part, column: str, rows: int) -> Iterator[pa.Array]:
        with parquet_file(part.file) as file:
            for batch in file.iter_batches(rows, row_groups=[part.number], columns=[column], use_threads=False):
                yield batch.column(0)


def open_parquet(path: Path, column: str | None = None) -> ParquetSource:
    """The vectors in a file or in the ``*.parquet`` files of a folder, which must agree in column and element type."""
    files = _files(path)
    parts: list[Part] = []
    first = 0
    with parquet_file(files[0]) as opened:
        field = column_of(files[0], opened.schema_arrow, column)
    dtype, _ = element_of(files[0], field)
    for file in files:
        with parquet_file(file) as opened:
            other = column_of(file, opened.schema_arrow, field.name)
            if str(other.type.value_type) != str(field.type.value_type):
                raise InputError(
                    f"{file}: column {field.name} holds {other.type.value_type}, in {files[0]} {field.type.value_type}",
                    "give files of one element type",
                )
            groups = [opened.metadata.row_group(number).num_rows for number in range(opened.metadata.num_row_groups)]
            if min(groups, default=0) < 0 or sum(groups) != opened.metadata.num_rows:
                raise FormatError(f"{file} is damaged: its row groups do not hold its rows", "restore it")
            starts = accumulate(groups, initial=first)
            counted = enumerate(zip(groups, starts, strict=False))
            parts += [Part(file, number, start, rows) for number, (rows, start) in counted if rows]
            first += sum(groups)
    return ParquetSource(path, field.name, first, 0, dtype, None, tuple(parts)).measured(field)


def parquet_columns(path: Path) -> list[str]:
    """The names of the columns, those of every file where it is a folder."""
    names: dict[str, None] = {}
    for one in _files(path):
        with parquet_file(one) as file:
            names |= dict.fromkeys(file.schema_arrow.names)
    return list(names)


def parquet_lists(path: Path, column: str | None = None) -> ForeignLists:
    """The neighbour lists in a Parquet file."""
    with parquet_file(path) as file:
        return lists_of_table(path, file.read(use_threads=False), column)


@contextmanager
def parquet_file(path: Path) -> Iterator[pq.ParquetFile]:
    """The file, open for reading. Raises FormatError for another file and for damage found while it is read."""
    try:
        file = pq.ParquetFile(path, buffer_size=READ_BYTES, pre_buffer=False)
    except DAMAGE:
        raise not_of_format(path, ".parquet", "Parquet cannot open it, or it is damaged") from None
    with file:
        try:
            yield file
        except DAMAGE:
            raise FormatError(f"{path} is damaged", "restore it, or make it again") from None


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(path.glob("*.parquet"))
    if not files:
        raise InputError(f"{path} is a folder without a .parquet file", "name a file of vectors")
    return files
