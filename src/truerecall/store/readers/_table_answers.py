"""Answers in a table: a list of neighbours in each row, or one neighbour in each row."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from truerecall.errors import FormatError
from truerecall.model.arrays import Booleans, Floats, Ids, texts
from truerecall.model.foreign import ForeignLists, without_padding
from truerecall.store.columns import ids_from
from truerecall.store.readers._columns import is_list, lengths_of
from truerecall.store.readers._pairs import lists_of_pairs
from truerecall.store.readers._roles import FAILURE, NEIGHBOR, NUMBER, QUERY, RANK, nearer_by, roles_of, unknown_columns

NO_LIST = "no list"
WHOLE_NUMBER = "^(0|-?[1-9][0-9]{0,17})$"
"""What fits into 64 bits, in the usual spelling: nothing is lost where it is read as a number."""


def answers_of_table(path: Path, table: pa.Table, named: str | None = None) -> ForeignLists:
    """The answers in a table, whose columns say by their names what they are; ``named``: that of the neighbours.

    A missing list is a failed query, a missing neighbour a place that was padded.
    """
    roles = roles_of(table.column_names)
    if named is not None:
        roles[NEIGHBOR] = named
    if roles.get(NEIGHBOR) not in table.column_names:
        raise unknown_columns(str(path), table.column_names)
    numbers = roles.get(NUMBER)
    if is_list(table.schema.field(roles[NEIGHBOR]).type):
        return _lists(path, table, roles, numbers)
    if QUERY not in roles:
        raise unknown_columns(str(path), table.column_names)
    ids, held = ids_and_held(_whole(table, roles[NEIGHBOR]), what=f"{path} column {roles[NEIGHBOR]}")
    return lists_of_pairs(
        _query_ids(path, table, roles[QUERY]),
        ids,
        held,
        what=str(path),
        ranks=None if RANK not in roles else _demand_whole(path, table, roles[RANK]),
        numbers=None if numbers is None else numbers_of(_whole(table, numbers), what=f"{path} column {numbers}"),
        nearer=nearer_by(numbers),
        failures=None if FAILURE not in roles else _spelt(_whole(table, roles[FAILURE])),
    )


def ids_and_held(column: pa.Array, *, what: str) -> tuple[Ids, Booleans]:
    """A column of ids, and which of its values are there; what is missing is filled up. Empty strings are missing."""
    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_null(column.type):
        column = column.cast(pa.large_string())
    held = np.asarray(column.is_valid().to_numpy(zero_copy_only=False), np.bool_)
    if pa.types.is_integer(column.type):
        column = pc.fill_null(column, 0)
    elif pa.types.is_fixed_size_binary(column.type):
        column = pc.fill_null(column, bytes(column.type.byte_width))
    elif not pa.types.is_floating(column.type):
        column = pc.fill_null(column, "")
    ids = ids_from(column, what=what)
    return ids, held & np.asarray(ids != "") if ids.dtype.kind == "T" else held


def spelt_column(values: Sequence[str] | pa.Array) -> pa.Array:
    """A column of text without white space around; whole numbers where every value that is there is spelt as one."""
    column = values if isinstance(values, pa.Array) else pa.array(values, pa.large_string())
    column = pc.utf8_trim_whitespace(column)
    column = pc.if_else(pc.equal(column, ""), None, column)
    if not pc.all(pc.match_substring_regex(column, WHOLE_NUMBER)).as_py():
        return column
    return column.cast(pa.int64())


def numbers_of(column: pa.Array, *, what: str) -> Floats:
    """A column of numbers, spelt or not; NaN where one is missing. Raises FormatError for what is no number."""
    try:
        return np.asarray(column.cast(pa.float64()).to_numpy(zero_copy_only=False), np.float64)
    except pa.ArrowException:
        strange = next((value for value in column.to_pylist() if not _is_number(value)), column.type)
        raise FormatError(
            f"{what} holds {strange!r}, which is no number", "write numbers, with a decimal point"
        ) from None


def _lists(path: Path, table: pa.Table, roles: dict[str, str], numbers: str | None) -> ForeignLists:
    lists = _whole(table, roles[NEIGHBOR])
    there = np.asarray(lists.is_valid().to_numpy(zero_copy_only=False), np.bool_)
    lengths = _lengths(lists, there)
    ids, held = ids_and_held(lists.filter(pa.array(there)).flatten(), what=f"{path} column {roles[NEIGHBOR]}")
    values = None
    if numbers is not None and is_list(table.schema.field(numbers).type):
        own = _whole(table, numbers)
        own_there = np.asarray(own.is_valid().to_numpy(zero_copy_only=False), np.bool_)
        if _lengths(own, own_there)[there].tolist() != lengths[there].tolist():
            raise FormatError(
                f"{path}: columns {roles[NEIGHBOR]} and {numbers} are not of one length", "give one for each"
            )
        values = numbers_of(own.filter(pa.array(there)).flatten(), what=f"{path} column {numbers}")
    failures = _spelt(_whole(table, roles[FAILURE])) if FAILURE in roles else [""] * len(there)
    failures = [told or ("" if is_there else NO_LIST) for told, is_there in zip(failures, there, strict=True)]
    return without_padding(
        ids,
        held,
        lengths,
        values,
        query_ids=None if QUERY not in roles else _query_ids(path, table, roles[QUERY]),
        failures=texts(failures) if any(failures) else None,
        nearer=nearer_by(numbers),
    )


def _lengths(lists: pa.Array, there: Booleans) -> Any:
    lengths = np.zeros(len(lists), np.int64)
    lengths[there] = lengths_of(lists.filter(pa.array(there)))
    return lengths


def _query_ids(path: Path, table: pa.Table, name: str) -> Ids:
    column = _whole(table, name)
    ids, held = ids_and_held(column, what=f"{path} column {name}")
    if not held.all():
        raise FormatError(f"{path}: {int((~held).sum())} values of column {name} are missing", "name the query of each")
    return ids


def _demand_whole(path: Path, table: pa.Table, name: str) -> Floats:
    ranks = numbers_of(_whole(table, name), what=f"{path} column {name}")
    if np.isnan(ranks).any():
        raise FormatError(f"{path}: {int(np.isnan(ranks).sum())} values of column {name} are missing", "fill them")
    return ranks


def _whole(table: pa.Table, name: str) -> pa.Array:
    column = table.column(name)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _spelt(column: pa.Array) -> list[str]:
    return ["" if value is None else str(value) for value in column.to_pylist()]


def _is_number(value: Any) -> bool:
    try:
        return value is None or float(value) is not None
    except (TypeError, ValueError):
        return False
