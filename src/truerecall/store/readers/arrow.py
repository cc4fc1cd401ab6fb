"""Arrow IPC files, which Feather files of version 2 are: read one record batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from truerecall.errors import FormatError
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


@dataclass(frozen=True)
class ArrowSource(ColumnSource):
    """Each part is a record batch, as large as its writer made it."""

    def columns(self, file: Path) -> list[str]:
        return arrow_columns(file)

    def batches(self, part: Part, column: str, rows: int) -> Iterator[pa.Array]:
        with arrow_file(part.file, column) as file:
            array = file.get_batch(part.number).column(column)
            array.validate(full=True)  # offsets that damage has moved would be read outside the buffer
        for start in range(0, len(array), rows):
            yield array.slice(start, rows)


def open_arrow(path: Path, column: str | None = None) -> ArrowSource:
    """The vectors in a file."""
    with arrow_file(path) as file:
        field = column_of(path, file.schema, column)
    dtype, _ = element_of(path, field)
    parts: list[Part] = []
    first = 0
    with arrow_file(path, field.name) as file:
        for number in range(file.num_record_batches):
            rows = file.get_batch(number).num_rows
            if rows:
                parts.append(Part(path, number, first, rows))
                first += rows
    return ArrowSource(path, field.name, first, 0, dtype, None, tuple(parts)).measured(field)


def arrow_columns(path: Path) -> list[str]:
    """The names of the columns."""
    with arrow_file(path) as file:
        return list(file.schema.names)


def arrow_lists(path: Path, column: str | None = None) -> ForeignLists:
    """The neighbour lists in an Arrow file."""
    with arrow_file(path) as file:
        table = file.read_all()
        table.validate(full=True)
        return lists_of_table(path, table, column)


@contextmanager
def arrow_file(path: Path, column: str | None = None) -> Iterator[Any]:
    """The file, open for reading, of all columns or one. Raises FormatError for another file and for damage."""
    try:
        with pa.OSFile(str(path), "rb") as raw:
            try:
                file = pa.ipc.open_file(raw)
                if column is not None:
                    only = pa.ipc.IpcReadOptions(included_fields=[file.schema.get_field_index(column)])
                    file = pa.ipc.open_file(raw, options=only)
            except DAMAGE:
                raise not_of_format(path, path.suffix.lower(), "Arrow cannot open it, or it is damaged") from None
            yield file
    except DAMAGE:
        raise FormatError(f"{path} is damaged", "restore it, or make it again") from None
