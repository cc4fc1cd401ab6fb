"""What a column says of each row: of the file of the vectors itself, or of another file beside it.

For strata every value is taken as a text; a missing one is a value of its own, NO_VALUE.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from truerecall.errors import InputError
from truerecall.model.arrays import Texts, texts
from truerecall.model.drawing import Attribute
from truerecall.model.ids import NO_ROW, refuse_repeated, rows_of
from truerecall.model.selected import SelectedSource
from truerecall.model.source import CorpusSource
from truerecall.model.vectors import Corpus
from truerecall.store.attributes.files import json_lines, refuse_suffix
from truerecall.store.attributes.ids import ids_of_kind, ids_of_values
from truerecall.store.columns import ids_from
from truerecall.store.parts import demand_there
from truerecall.store.readers._columns import ColumnSource
from truerecall.store.readers.arrow import arrow_file
from truerecall.store.readers.parquet import parquet_file

NO_VALUE = "(none)"
ATTRIBUTE_FILES = (".parquet", ".arrow", ".feather", ".jsonl")


def read_attribute(named: str, path: Path, corpus: Corpus) -> Attribute:
    """The column ``named`` of the corpus at ``path``, or that of another file where it is written ``FILE::COLUMN``.

    Another file tells by its column ``id`` which row a value belongs to; without one it has a value for each row, in
    their order. Raises InputError for a column that is not there and for rows that have no entry.
    """
    file, colons, column = named.rpartition("::")
    if not colons:
        return Attribute(named, _texts(own_column(named, path, corpus.source), path))
    if not file or not column:
        raise InputError(f"{named} names no column", "write FILE::COLUMN")
    return Attribute(column, _texts(column_beside(Path(file), column, corpus), Path(file)))


def own_column(column: str, path: Path, source: CorpusSource) -> pa.ChunkedArray:
    """A column of the file of the vectors, a value for each of their rows."""
    if isinstance(source, SelectedSource):
        return own_column(column, Path(source.source.name), source.source).take(pa.array(source.kept))
    if isinstance(source, ColumnSource):
        first = source.parts[0].file
        demand_column(column, _table_columns(first), first)
        return source.other_column(column)
    if path.suffix.lower() == ".jsonl":
        return _json_column(path, column)
    raise InputError(f"{path} holds vectors alone and no column {column}", "name one of another file")


def column_beside(path: Path, column: str, corpus: Corpus) -> pa.ChunkedArray:
    """A column of another file, a value for each row of the corpus."""
    demand_there(path)
    ending = path.suffix.lower()
    if ending not in ATTRIBUTE_FILES:
        raise refuse_suffix(path, ATTRIBUTE_FILES, holds="attributes")
    if ending == ".jsonl":
        values, ids = _json_column(path, column), _json_ids(path)
    else:
        columns = _table_columns(path)
        demand_column(column, columns, path)
        values = _table_column(path, column)
        ids = ids_from(_table_column(path, "id"), what=f"{path} column id") if "id" in columns else None
    rows = corpus.source.rows
    if ids is None:
        if len(values) != rows:
            raise InputError(
                f"{path} holds {len(values):,} values and {corpus.source.name} {rows:,} rows",
                "give one for each row, or a column id",
            )
        return values
    ids = ids_of_kind(ids, corpus.id_kind, what=str(path))
    refuse_repeated(ids, what=str(path))
    place = rows_of(corpus.ids, ids)
    absent = np.flatnonzero(place == NO_ROW)
    if len(absent):
        raise InputError(
            f"{path} has no entry for {len(absent):,} of {rows:,} rows of {corpus.source.name}"
            f" (first: {corpus.ids[absent[0]]})",
            "give every row one, if need be without a value",
        )
    return values.take(pa.array(place))


def demand_column(column: str, columns: list[str], path: Path) -> None:
    """Raises InputError unless ``column`` is among the ``columns`` of the file."""
    if column not in columns:
        raise InputError(f"{path} has no column {column}, only {', '.join(columns)}", "name one of these")


def _texts(column: pa.ChunkedArray, path: Path) -> Texts:
    """Values as texts, by way of the few that differ."""
    if pa.types.is_nested(column.type):
        raise InputError(f"{path}: the attribute holds {column.type}", "name a column of plain values")
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    encoded = column.combine_chunks().dictionary_encode("encode")
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    names = np.array([NO_VALUE if v is None else str(v) for v in encoded.dictionary.to_pylist()], object)
    return texts(names[encoded.indices.to_numpy()]) if len(names) else texts([])


def _table_columns(path: Path) -> list[str]:
    if path.suffix.lower() == ".parquet":
        with parquet_file(path) as file:
            return list(file.schema_arrow.names)
    with arrow_file(path) as file:
        return list(file.schema.names)


def _table_column(path: Path, column: str) -> pa.ChunkedArray:
    if path.suffix.lower() == ".parquet":
        with parquet_file(path) as file:
            return file.read([column], use_threads=False).column(0)
    with arrow_file(path, column) as file:
        return file.read_all().column(0)


def _json_column(path: Path, column: str) -> pa.ChunkedArray:
    entries = [entry for _, entry in json_lines(path)]
    if not any(column in entry for entry in entries):
        raise InputError(f"no line of {path} has the field {column}", "name a field that is there")
    values: list[Any] = [entry.get(column) for entry in entries]
    if any(isinstance(value, list | dict) for value in values):
        raise InputError(f"{path}: the field {column} holds lists or objects", "name a field of plain values")
    try:
        return pa.chunked_array([pa.array(values)])
    except (pa.ArrowException, OverflowError):
        return pa.chunked_array([pa.array([None if value is None else str(value) for value in values])])


def _json_ids(path: Path) -> Any:
    entries = list(json_lines(path))
    without = [number for number, entry in entries if "id" not in entry]
    if len(without) == len(entries):
        return None
    if without:
        raise InputError(f"line {without[0]} of {path} has no id, and others have one", "give every line one, or none")
    return ids_of_values([entry["id"] for _, entry in entries], what=str(path))
