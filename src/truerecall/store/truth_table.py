"""Truths in a table of PostgreSQL, a row per query: where teams can join them with their own tables.

One table holds many truths, each under its edition: the embedding model, the snapshot of the corpus and the depth. All
rows of an edition bear the fingerprint of one truth, and another truth never takes its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from psycopg import sql

from truerecall.errors import InputError, StaleTruth
from truerecall.model.foreign import ForeignLists
from truerecall.store.postgres import Connection, Table, columns_of
from truerecall.store.truth_columns import demand_columns, ids_of_column

ROWS_AT_ONCE = 500


@dataclass(frozen=True)
class Edition:
    """What one truth in a table is called."""

    model: str
    snapshot: str
    k: int

    def __str__(self) -> str:
        return f"model {self.model!r}, snapshot {self.snapshot!r}, k {self.k}"


@dataclass(frozen=True, eq=False)
class TableTruth:
    """A truth for a table: lists with query ids and distances, the content digest of the truth that they are from, and
    when that was made (ISO 8601), None where nobody knows."""

    lists: ForeignLists
    fingerprint: str
    generated_at: str | None


def editions(connection: Connection, table: Table) -> list[Edition]:
    """What is in the table, in order. Raises InputError where there is none, or where it is of another make."""
    columns = columns_of(connection, table)
    if not columns:
        raise InputError(
            f"there is no table {table}", "check --table and the connection, or export a truth to it first"
        )
    demand_columns(columns, name=str(table))
    query = sql.SQL(
        "SELECT DISTINCT model_version, snapshot_id, k FROM {}"
        " WHERE model_version IS NOT NULL AND snapshot_id IS NOT NULL AND k IS NOT NULL ORDER BY 1, 2, 3"
    ).format(table.identifier)
    return [Edition(*row) for row in connection.execute(query, []).fetchall()]


def read_edition(connection: Connection, table: Table, edition: Edition) -> TableTruth:
    """What stands under an edition, by query id.

    Raises StaleTruth where the rows are of several truths, InputError for NULL and for ids and distances that are not
    one for each.
    """
    query = sql.SQL(
        "SELECT query_id, neighbor_ids, distances, truth_fingerprint, generated_at::text FROM {}"
        " WHERE model_version = %s AND snapshot_id = %s AND k = %s ORDER BY query_id"
    ).format(table.identifier)
    query_ids: list[Any] = []
    ids: list[Any] = []
    distances: list[Any] = []
    offsets, truths = [0], {}
    with connection.transaction(), connection.cursor("truerecall", binary=True) as cursor:
        cursor.itersize = ROWS_AT_ONCE
        cursor.execute(query, [edition.model, edition.snapshot, edition.k])
        for query_id, own_ids, own_distances, fingerprint, generated_at in cursor:
            _demand_list(query_id, own_ids, own_distances, fingerprint, table)
            query_ids.append(query_id)
            ids += own_ids
            distances += own_distances
            offsets.append(len(ids))
            truths[fingerprint] = generated_at
    if len(truths) != 1:
        raise StaleTruth(
            f"the rows of {edition} in {table} are of {len(truths)} truths, not of one",
            "take away the rows of all but one truth_fingerprint",
        )
    ((fingerprint, generated_at),) = truths.items()
    lists = ForeignLists(
        ids_of_column(ids, what=f"{table}.neighbor_ids"),
        np.array(offsets, np.int64),
        np.array(distances, np.float64),
        ids_of_column(query_ids, what=f"{table}.query_id"),
    )
    return TableTruth(lists, str(fingerprint), generated_at)


def _demand_list(query_id: Any, ids: Any, distances: Any, fingerprint: Any, table: Table) -> None:
    missing = None in (query_id, ids, distances, fingerprint)
    if missing or len(ids) != len(distances) or None in distances:
        raise InputError(
            f"{table}: the row of query {query_id} has NULL in it, or not a distance for each neighbour",
            "export the truth to this table again",
        )
