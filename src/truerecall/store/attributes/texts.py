"""Texts by id: what a person reads where the index sees a vector."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from truerecall.errors import FormatError, InputError
from truerecall.model.arrays import Ids
from truerecall.model.ids import refuse_repeated
from truerecall.store.attributes.files import (
    demand_file,
    json_lines,
    parquet_column,
    refuse_suffix,
    text_lines,
)
from truerecall.store.attributes.ids import ids_of_kind, ids_of_values
from truerecall.store.columns import ids_from

TEXT_FILES = (".parquet", ".jsonl", ".txt")

Texts = Mapping[str, str]


def read_texts(path: Path, *, kind: str, ids: Ids | None = None) -> Texts:
    """The text of every id that the file names, by ``str(id)``.

    From ``.parquet`` (columns ``id`` and ``text``), ``.jsonl`` (``{"id": ..., "text": ...}``; ``_id`` will do) or
    ``.txt``, where line i is the text of row i. ``kind`` is the kind of the ids referred to (see ``id_kind``);
    ``ids`` are the ids in row order, which a ``.txt`` file needs unless ids are row numbers.
    """
    demand_file(path)
    suffix = path.suffix.lower()
    if suffix == ".txt":
        return _by_line(path, kind, ids)
    if suffix == ".parquet":
        named = ids_from(parquet_column(path, "id"), what=str(path))
        return _by_id(named, _strings(path, parquet_column(path, "text")), path, kind)
    if suffix == ".jsonl":
        entries = list(json_lines(path))
        named = ids_of_values([_field(path, n, e, ("id", "_id"), int | str) for n, e in entries], what=str(path))
        return _by_id(named, [_field(path, n, e, ("text",), str) for n, e in entries], path, kind)
    raise refuse_suffix(path, TEXT_FILES, holds="texts")


def _by_id(named: Ids, values: Iterable[str], path: Path, kind: str) -> Texts:
    named = ids_of_kind(named, kind, what=str(path))
    refuse_repeated(named, what=str(path))
    return dict(zip(map(str, named.tolist()), values, strict=True))


def _by_line(path: Path, kind: str, ids: Ids | None) -> Texts:
    lines = text_lines(path)
    if ids is None:
        if kind != "row":
            raise InputError(
                f"{path} gives texts by row number and the vectors have ids", "give .parquet or .jsonl with id and text"
            )
        return {str(row): line for row, line in enumerate(lines)}
    if len(ids) != len(lines):
        raise InputError(f"{path} holds {len(lines)} lines for {len(ids)} vectors", "give one line for every vector")
    return dict(zip(map(str, ids.tolist()), lines, strict=True))


def _field(path: Path, number: int, entry: dict[str, Any], names: tuple[str, ...], wanted: Any) -> Any:
    name = next((name for name in names if name in entry), None)
    if name is None or not isinstance(entry[name], wanted):
        raise FormatError(f"{path}: line {number} has no fitting {names[0]}", 'write {"id": ..., "text": ...}')
    return entry[name]


def _strings(path: Path, column: pa.Array) -> list[str]:
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        raise FormatError(f"{path}: column text holds {column.type}", "store the texts as strings")
    values: list[str] = column.to_pylist()
    return values
