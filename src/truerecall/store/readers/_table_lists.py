"""Neighbour lists in the columns of a table: what Parquet and Arrow files share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from truerecall.errors import FormatError, InputError
from truerecall.model.arrays import Integers
from truerecall.model.foreign import ForeignLists
from truerecall.model.neighbors import offsets_of
from truerecall.store.columns import ids_from
from truerecall.store.readers._columns import is_list, lengths_of


def lists_of_table(path: Path, table: pa.Table, named: str | None) -> ForeignLists:
    """Neighbour lists from a table: the ids in the column named, in ``neighbor_ids`` or in ``neighbors``; their
    distances in ``distances``, and whose they are in ``query_id``.
    """
    column = named or next((name for name in ("neighbor_ids", "neighbors") if name in table.column_names), None)
    if column is None or column not in table.column_names or not is_list(table.schema.field(column).type):
        raise InputError(
            f"{path} has no column of neighbour lists {named or 'neighbor_ids'}, only {', '.join(table.column_names)}",
            f"name one: {path}::COLUMN",
        )
    ids, offsets = _flat(path, table, column)
    distances = None
    if "distances" in table.column_names and named is None:
        values, other = _flat(path, table, "distances")
        if other.tolist() != offsets.tolist():
            raise FormatError(f"{path}: neighbours and distances are not of one length", "give one for each")
        distances = np.asarray(values.to_numpy(zero_copy_only=False), np.float64)
    queries = (
        ids_from(table.column("query_id"), what=f"{path} column query_id") if "query_id" in table.column_names else None
    )
    return ForeignLists(ids_from(ids, what=str(path)), offsets, distances, queries)


def _flat(path: Path, table: pa.Table, column: str) -> tuple[pa.Array, Integers]:
    chunks = table.column(column).chunks
    kind = table.schema.field(column).type
    lists = pa.concat_arrays(chunks) if chunks else pa.array([], kind)
    values = lists.flatten()
    if lists.null_count or values.null_count:
        raise FormatError(f"{path}: column {column} has missing values", "leave a list short instead, or drop it")
    return values, offsets_of(lengths_of(lists))
