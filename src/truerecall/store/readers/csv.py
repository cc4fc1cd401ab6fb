"""Answers as separated values: ``query_id,neighbor_id,rank`` (or a distance or score), a list in a cell, or ids alone.

The separator is a comma, a tab, a semicolon or a vertical bar, whichever the first line makes most of. A header is one
whose names are known; without one, columns are query, neighbour and perhaps a rank or a number, and more than four
columns are the list of one query on each line, as ``numpy.savetxt`` writes them.
"""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from truerecall.errors import FormatError
from truerecall.model.foreign import ForeignLists, without_padding
from truerecall.store.attributes.files import plain_text
from truerecall.store.readers._entries import Entry, lists_of_entries
from truerecall.store.readers._pairs import lists_of_pairs
from truerecall.store.readers._roles import NEIGHBOR, PLURALS, QUERY, RANK, roles_of, unknown_columns
from truerecall.store.readers._table_answers import (
    answers_of_table,
    ids_and_held,
    numbers_of,
    spelt_column,
)

SEPARATORS = ",\t;|"
BLOCK_BYTES = 1 << 26
"""How much is read at a time; no line may be longer."""
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|nan", re.IGNORECASE)
ALONE = 4
"""More columns than this without a header are a list of ids."""


def csv_answers(path: Path) -> ForeignLists:
    """The answers in a file of separated values. Raises FormatError and InputError."""
    text = plain_text(path)
    head = next((line for line in text.splitlines() if line.strip()), "")
    if not head:
        raise FormatError(f"{path} is empty", "write the answers again")
    if "\0" in head:
        raise FormatError(f"{path} is no text", "name it after its format")
    separator = max(SEPARATORS, key=head.count)
    names = [cell.strip() for cell in next(csv.reader(io.StringIO(head), delimiter=separator))]
    if len(names) == 1:
        raise FormatError(
            f"{path} has one column", "part columns by commas, tabs or semicolons, a neighbour on each line"
        )
    cells = _cells(path, text, separator, len(names))
    roles = roles_of(names)
    if NEIGHBOR in roles or QUERY in roles:
        table = pa.table(dict(zip(names, [spelt_column(column.slice(1)) for column in cells], strict=True)))
        if roles.get(NEIGHBOR) in PLURALS and RANK not in roles and _holds_lists(table.column(roles[NEIGHBOR])):
            return _list_cells(path, table, roles)
        return answers_of_table(path, table)
    columns = [spelt_column(column) for column in cells]
    if len(names) > ALONE:
        return _matrix(path, columns, names)
    if len(names) > 2 and not NUMBER.fullmatch(names[2]):
        raise unknown_columns(str(path), names)
    return _headless(path, columns)


def _cells(path: Path, text: str, separator: str, width: int) -> list[pa.Array]:
    """The columns of all lines that are not blank, as text. Raises FormatError for a line of another width."""
    wrong: list[pyarrow.csv.InvalidRow] = []

    def look(row: pyarrow.csv.InvalidRow) -> str:
        if row.text.strip():
            wrong.append(row)
        return "skip"

    names = [str(place) for place in range(width)]
    try:
        table = pyarrow.csv.read_csv(
            pa.BufferReader(text.encode()),
            pyarrow.csv.ReadOptions(column_names=names, use_threads=False, block_size=BLOCK_BYTES),
            pyarrow.csv.ParseOptions(delimiter=separator, newlines_in_values=True, invalid_row_handler=look),
            pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.large_string()), strings_can_be_null=False),
        )
    except pa.ArrowInvalid as error:
        raise FormatError(f"{path} cannot be read as separated values ({error})", "mend the file") from None
    if wrong:
        first = wrong[0]
        raise FormatError(
            f"{path}: line {first.number} has {first.actual_columns} columns and the first has {width}", "mend the line"
        )
    return [pa.concat_arrays(column.chunks) for column in table.columns]


def _matrix(path: Path, columns: list[pa.Array], names: list[str]) -> ForeignLists:
    """Whole numbers alone: the list of one query on each line."""
    parts = [ids_and_held(column, what=f"{path} column {place + 1}") for place, column in enumerate(columns)]
    if any(ids.dtype.kind == "T" and held.any() for ids, held in parts):
        raise unknown_columns(str(path), names)
    ids = np.stack([np.where(held, ids, 0) if ids.dtype.kind != "T" else np.zeros(len(ids), np.int64)
                    for ids, held in parts], axis=1)  # fmt: skip
    held = np.stack([held for _, held in parts], axis=1)
    lengths = np.full(len(ids), len(columns), np.int64)
    remark = f"each line is read as one list of {len(columns)} ids"
    return without_padding(ids.ravel(), held.ravel(), lengths, remarks=(remark,))


def _headless(path: Path, columns: list[pa.Array]) -> ForeignLists:
    """Query, neighbour, and perhaps a rank (0, 1, 2, ... in every list, or from 1) or a number."""
    width = len(columns)
    queries, named = ids_and_held(columns[0], what=f"{path} column 1")
    ids, held = ids_and_held(columns[1], what=f"{path} column 2")
    if not named.all():
        raise FormatError(f"{path}: {int((~named).sum())} lines name no query", "name the query on each line")
    numbers = None if width < 3 else numbers_of(columns[-1], what=f"{path} column {width}")
    are_ranks = numbers is not None and _are_ranks(queries, numbers)
    remark = "it has no header: its columns are read as query, neighbour" + (
        "" if numbers is None else " and rank" if are_ranks else " and a number"
    )
    return lists_of_pairs(
        queries,
        ids,
        held,
        what=str(path),
        ranks=numbers if are_ranks else None,
        numbers=None if are_ranks else numbers,
        remarks=(remark,),
    )


def _are_ranks(queries: Any, numbers: Any) -> bool:
    """Whether the numbers of every query are 0, 1, 2, ... or 1, 2, 3, ..."""
    _, owner, counts = np.unique(queries, return_inverse=True, return_counts=True)
    order = np.lexsort((numbers, owner.ravel()))
    ends = np.cumsum(counts)
    place = np.arange(len(numbers)) - np.repeat(ends - counts, counts)
    off = numbers[order] - place
    return bool((off == off[0]).all() and off[0] in (0, 1))


def _holds_lists(cells: pa.ChunkedArray) -> bool:
    return any(isinstance(cell, str) and re.search(r"[\s,;\[{]", cell) for cell in cells.to_pylist())


def _list_cells(path: Path, table: pa.Table, roles: dict[str, str]) -> ForeignLists:
    if QUERY not in roles:
        raise unknown_columns(str(path), table.column_names)
    queries, cells = (table.column(roles[role]).to_pylist() for role in (QUERY, NEIGHBOR))
    entries = [Entry(query, _list_in(cell or "")) for query, cell in zip(queries, cells, strict=True)]
    return lists_of_entries(entries, what=str(path))


def _list_in(cell: str) -> list[str | None] | None:
    """``[1, 2]``, ``["a", "b"]``, ``{1,2}`` as PostgreSQL writes it, ``1 2`` or ``1,2``; None for an empty cell."""
    if not cell:
        return None
    try:
        values = json.loads(cell)
    except ValueError:
        values = [part.strip("'\" ") for part in re.split(r"[\s,;]+", cell.strip("[]{}() ")) if part]
    values = values if isinstance(values, list) else [values]
    return [None if value is None or value in ("None", "NULL", "null") else str(value) for value in values]
