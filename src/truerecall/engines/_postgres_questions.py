"""What a table of vectors is asked: the nearest rows, the plan for that, and how many rows there are."""

from __future__ import annotations

from typing import Any

import numpy as np
import psycopg
from psycopg import sql

from truerecall.engines._filter_sql import sql_of
from truerecall.engines._postgres import Session, told_as_ours
from truerecall.engines._postgres_settings import METHODS
from truerecall.engines._postgres_table import OPERATORS, Serving, Stored
from truerecall.engines._postgres_wire import Wire
from truerecall.errors import InputError
from truerecall.model.filter import Filter

FILES = "SELECT pg_relation_filenode(%s), pg_relation_size(%s)"
FLOAT = "::float8"
"""Behind numbers with a fraction: a column of numerics is then compared as float64, which is how a truth reads it."""
BY_CODE_POINT = ' COLLATE "C"'
NORMS = {"vector": "vector_norm", "halfvec": "l2_norm"}
"""By which pgvector sees that a vector is zero: under cosine it leaves it out of the index."""


def nearest(session: Session, stored: Stored, distance: str, where: Filter | None = None) -> bytes:
    """The statement of a search, for a vector and a number of rows."""
    operator = sql.SQL("OPERATOR({}.{})").format(
        sql.Identifier(session.schema.replace("%", "%%")), sql.SQL(OPERATORS[distance])
    )
    narrowed = (
        "" if where is None else f" WHERE {sql_of(where, collation=BY_CODE_POINT, float_type=FLOAT)}".replace("%", "%%")
    )
    statement = sql.SQL("SELECT {} FROM {}{} ORDER BY {} {} %b LIMIT %b").format(
        stored.id, stored.table, sql.SQL(narrowed), stored.vector, operator
    )
    return statement.as_bytes(session.connection)


def demand_taken(session: Session, statement: bytes, stored: Stored, where: Filter) -> None:
    """Raises InputError where the table does not take the filter: a column that it lacks, or of another type."""
    own = stored.element
    some = own.wire(np.zeros((1, own.dimensions), own.dtype))
    with told_as_ours():
        try:
            session.cursor.execute(b"EXPLAIN " + statement, (some, 1)).fetchall()
        except (psycopg.errors.ProgrammingError, psycopg.errors.DataError) as error:
            problem = f"{stored.address.table} does not take {where}: {error.diag.message_primary}"
            raise InputError(problem, "mend the filter") from None


def identity_of(session: Session, stored: Stored, index: Serving | None) -> str:
    """Which table of which database on which server it is, which files hold it and its index, and how long they are:
    REINDEX gives others, and what is written makes them longer sooner or later."""
    server = session.connection.info
    files = [session.rows(FILES, [oid, oid]) for oid in (stored.oid, *([] if index is None else [index.oid]))]
    return f"{server.host}:{server.port}/{server.dbname} {stored.oid} {files}"


def plan_of(session: Session, statement: bytes, values: tuple[Wire, int]) -> dict[str, Any]:
    """How the server would answer the statement with these values now."""
    with told_as_ours():
        found = session.cursor.execute(b"EXPLAIN (FORMAT JSON) " + statement, values).fetchone()
    assert found is not None
    plan: dict[str, Any] = found[0][0]["Plan"]
    return plan


def counts(session: Session, stored: Stored, distance: str, index: Serving | None) -> tuple[int, int | None]:
    """How many rows the table has, and how many of them the index covers: none where there is no index, None where
    nobody can tell. Reads the table."""
    covered: sql.Composable = sql.SQL("{} IS NOT NULL").format(stored.vector)
    if distance == "cosine":
        norm = session.extension_name(NORMS[stored.element.name])
        covered = sql.SQL("{} AND {}({}) > 0").format(covered, norm, stored.vector)
    if index is not None and index.predicate is not None:
        covered = sql.SQL("{} AND ({})").format(covered, sql.SQL(index.predicate.replace("%", "%%")))
    counting = sql.SQL("SELECT count(*), count(*) FILTER (WHERE {}) FROM {}").format(covered, stored.table)
    rows, indexed = session.rows(counting)[0]
    if index is None:
        return rows, 0
    return rows, indexed if index.valid and index.method in METHODS else None
