"""Which group each query belongs to, from files: a stratum, or a cluster of queries that share a source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from truerecall.errors import FormatError, InputError
from truerecall.model.ids import refuse_repeated
from truerecall.store.attributes.files import demand_file, json_lines, parquet_column, parquet_columns, refuse_suffix
from truerecall.store.attributes.ids import ids_of_kind, ids_of_values
from truerecall.store.columns import ids_from

GROUP_FILES = (".parquet", ".jsonl")
ID_NAMES = ("query_id", "id")


def read_groups(named: str, *, column: str, query_kind: str) -> dict[Any, str]:
    """Query id -> group from ``FILE`` (the given column) or ``FILE::COLUMN``. A query file that ``sample`` wrote is
    one. Raises InputError or FormatError.

    The file names each query once, in a column ``query_id`` or ``id``, brought to the kind that query ids have.
    """
    file, colons, other = named.rpartition("::")
    path, column = (Path(file), other) if colons else (Path(named), column)
    demand_file(path)
    ending = path.suffix.lower()
    if ending not in GROUP_FILES:
        raise refuse_suffix(path, GROUP_FILES, holds="groups of queries")
    ids, groups = (_parquet if ending == ".parquet" else _jsonl)(path, column)
    ids = ids_of_kind(ids, query_kind, what=str(path))
    refuse_repeated(ids, what=str(path))
    return dict(zip(ids.tolist(), map(str, groups), strict=True))


def _parquet(path: Path, column: str) -> tuple[Any, list[Any]]:
    columns = parquet_columns(path)
    name = next((name for name in ID_NAMES if name in columns), None)
    if name is None:
        raise InputError(f"{path} has the columns {', '.join(columns)} and none holds ids", "name a column query_id")
    return ids_from(parquet_column(path, name), what=str(path)), parquet_column(path, column).to_pylist()


def _jsonl(path: Path, column: str) -> tuple[Any, list[Any]]:
    ids, groups = [], []
    for number, entry in json_lines(path):
        name = next((name for name in ID_NAMES if name in entry), None)
        if name is None or entry.get(column) is None:
            raise FormatError(
                f"{path}: line {number} lacks query_id or {column}", f'write {{"query_id": ..., "{column}": ...}}'
            )
        ids.append(entry[name])
        groups.append(entry[column])
    return ids_of_values(ids, what=str(path)), groups
