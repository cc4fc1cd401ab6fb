"""The columns of a truth table in PostgreSQL: which it is made with, and which are taken where it is there already.

Ids keep the type that the table has for them, so that they can be joined with a table of rows. No type that would
round, shorten or respell an id or a distance is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, LiteralString
from uuid import UUID

from psycopg import sql

from truerecall.errors import InputError
from truerecall.model.arrays import Ids
from truerecall.model.ids import id_kind
from truerecall.store.attributes.ids import ids_of_values
from truerecall.store.postgres import Table

MADE_AS: dict[str, LiteralString] = {"int64": "bigint", "uint64": "numeric(20,0)", "string": "text"}
"""The type of a column that is made for ids of a kind."""

CASTS: dict[str, LiteralString] = {
    "bigint": "bigint", "integer": "integer", "smallint": "smallint", "numeric": "numeric",
    "text": "text", "character varying": "text", "uuid": "uuid",
}  # fmt: skip
"""The types that a column of ids may have, and what ids are cast to on the way there: never to one that cuts them."""

OTHERS = {
    "model_version": ("text", "character varying"),
    "snapshot_id": ("text", "character varying"),
    "k": ("integer", "bigint", "smallint"),
    "distances": ("double precision[]",),
    "truth_fingerprint": ("text", "character varying"),
    "generated_at": ("timestamp with time zone",),
}
KEY = ("model_version", "snapshot_id", "query_id", "k")
REMEDY = "name another table, which will be made, or give this one the columns of docs/postgres.md"
CANONICAL_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def create_statement(table: Table, query_ids: Ids, neighbor_ids: Ids) -> sql.Composed:
    """The statement that makes a table for such ids."""
    return sql.SQL(
        "CREATE TABLE {table} (model_version text NOT NULL, snapshot_id text NOT NULL, query_id {asking} NOT NULL,"
        " k integer NOT NULL, neighbor_ids {found}[] NOT NULL, distances double precision[] NOT NULL,"
        " truth_fingerprint text NOT NULL, generated_at timestamptz, PRIMARY KEY ({key}))"
    ).format(
        table=table.identifier,
        asking=sql.SQL(MADE_AS[id_kind(query_ids)]),
        found=sql.SQL(MADE_AS[id_kind(neighbor_ids)]),
        key=sql.SQL(", ").join(map(sql.Identifier, KEY)),
    )


def demand_columns(columns: Mapping[str, str], *, name: str) -> None:
    """Raises InputError where a table called ``name`` lacks a column, or has one of another type."""
    wanted = OTHERS | {"query_id": tuple(CASTS), "neighbor_ids": tuple(f"{kind}[]" for kind in CASTS)}
    for column, types in wanted.items():
        if column not in columns:
            raise InputError(f"the table {name} has no column {column}", REMEDY)
        if columns[column] not in types:
            raise InputError(f"{column} in the table {name} is {columns[column]}, not {' or '.join(types)}", REMEDY)


def demand_unchanged(ids: Ids, column: str, *, name: str) -> None:
    """Raises InputError where a column of this type would take some of the ids and spell them in another way."""
    if id_kind(ids) != "string" or CASTS[column] == "text":
        return
    strange = next((own for own in ids.tolist() if column != "uuid" or not CANONICAL_UUID.fullmatch(own)), None)
    if strange is not None:
        raise InputError(
            f"{name} holds {column} and the truth has the id {strange!r}",
            "name another table, or write UUIDs in canonical lower case" if column == "uuid" else "name another table",
        )


def ids_of_column(values: Iterable[Any], *, what: str) -> Ids:
    """What came out of a column of ids as an id array. Raises InputError for numbers that are not whole."""
    return ids_of_values([_plain(value, what) for value in values], what=what)


def _plain(value: Any, what: str) -> int | str:
    if isinstance(value, Decimal):
        if not value.is_finite() or value != int(value):
            raise InputError(f"{what} holds {value}, which is no whole number", "give whole numbers or strings")
        return int(value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, int | str):
        return value
    raise InputError(f"{what} holds {value!r} among its ids", "give every neighbour an id, in lists of one dimension")
