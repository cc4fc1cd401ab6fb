"""Writing a truth into a table of PostgreSQL: all of its lists or none, and never over another truth."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from psycopg import errors, sql

from truerecall.errors import InputError, StaleTruth
from truerecall.model.progress import SILENT, Progress
from truerecall.store.postgres import Connection, Table, columns_of
from truerecall.store.truth_columns import CASTS, KEY, REMEDY, create_statement, demand_columns, demand_unchanged
from truerecall.store.truth_table import Edition, TableTruth

WRITERS_LOCK = 0x7472756572656361
"""An arbitrary number of our own: those who write truths into one database take turns by it."""


def write_edition(
    connection: Connection,
    table: Table,
    edition: Edition,
    truth: TableTruth,
    *,
    progress: Progress = SILENT,
) -> bool:
    """Write every list in one transaction; the table is made where there is none. Returns whether it was made.

    Raises StaleTruth where another fingerprint stands under the edition, InputError where the table is of another
    make or cannot hold these ids. Then nothing has changed.
    """
    lists = truth.lists
    if lists.query_ids is None:
        raise ValueError("the lists for a table need query ids")
    with connection.transaction(), connection.cursor() as cursor:
        # One writer at a time, so that what is looked at here still holds when it is written.
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [WRITERS_LOCK])
        made = not columns_of(connection, table)
        if made:
            cursor.execute(create_statement(table, lists.query_ids, lists.ids), [])
        columns = columns_of(connection, table)
        demand_columns(columns, name=str(table))
        asking, found = columns["query_id"], columns["neighbor_ids"].removesuffix("[]")
        demand_unchanged(lists.query_ids, asking, name=f"{table}.query_id")
        demand_unchanged(lists.ids, found, name=f"{table}.neighbor_ids")
        _refuse_other(connection, table, edition, truth.fingerprint)
        progress.start(f"writing to {table}", len(lists), "queries")
        try:
            cursor.executemany(_upsert(table, asking, found), _rows(edition, truth, lists.query_ids.tolist(), progress))
        except errors.InvalidColumnReference:
            raise InputError(f"the table {table} has no primary key ({', '.join(KEY)})", REMEDY) from None
        _demand_alone(connection, table, edition, written=cursor.rowcount, wanted=len(lists))
    return made


def _refuse_other(connection: Connection, table: Table, edition: Edition, fingerprint: str) -> None:
    query = sql.SQL(
        "SELECT truth_fingerprint, count(*), max(generated_at)::text FROM {}"
        " WHERE model_version = %s AND snapshot_id = %s AND k = %s AND truth_fingerprint <> %s"
        " GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1"
    ).format(table.identifier)
    there = connection.execute(query, [edition.model, edition.snapshot, edition.k, fingerprint]).fetchone()
    if there is not None:
        other, count, generated_at = there
        made = f", made {generated_at}" if generated_at else ""
        raise StaleTruth(
            f"{table} holds another truth of {edition}: {count} queries, fingerprint {str(other)[:12]}{made},"
            f" not {fingerprint[:12]}",
            "export under another --snapshot, or delete those rows first",
        )


def _upsert(table: Table, asking: str, found: str) -> sql.Composed:
    return sql.SQL(
        "INSERT INTO {table} AS standing (model_version, snapshot_id, k, query_id, neighbor_ids, distances,"
        " truth_fingerprint, generated_at)"
        " VALUES (%b::text, %b::text, %b, %b::{asking}, %b::{found}[], %b::double precision[], %b::text,"
        " %b::text::timestamptz)"
        " ON CONFLICT ({key}) DO UPDATE SET neighbor_ids = excluded.neighbor_ids, distances = excluded.distances,"
        " generated_at = excluded.generated_at WHERE standing.truth_fingerprint = excluded.truth_fingerprint"
    ).format(
        table=table.identifier,
        asking=sql.SQL(CASTS[asking]),
        found=sql.SQL(CASTS[found]),
        key=sql.SQL(", ").join(map(sql.Identifier, KEY)),
    )


def _rows(edition: Edition, truth: TableTruth, query_ids: list[Any], progress: Progress) -> Iterator[tuple[Any, ...]]:
    lists = truth.lists
    common = (edition.model, edition.snapshot, edition.k)
    for query_id, (start, end) in zip(query_ids, pairwise(lists.offsets.tolist()), strict=True):
        assert lists.distances is not None
        own = (query_id, lists.ids[start:end].tolist(), lists.distances[start:end].tolist())
        yield (*common, *own, truth.fingerprint, truth.generated_at)
        progress.advance(1)


def _demand_alone(connection: Connection, table: Table, edition: Edition, *, written: int, wanted: int) -> None:
    """Raises StaleTruth unless what was written is all that stands under the edition."""
    query = sql.SQL("SELECT count(*) FROM {} WHERE model_version = %s AND snapshot_id = %s AND k = %s").format(
        table.identifier
    )
    (standing,) = connection.execute(query, [edition.model, edition.snapshot, edition.k]).fetchone() or (0,)
    if not written == standing == wanted:
        raise StaleTruth(
            f"of the {wanted} queries {written} could be written, and {standing} rows would stand under {edition} in"
            f" {table}",
            "nothing was changed; take away the rows that something else wrote there, or use another --snapshot",
        )
