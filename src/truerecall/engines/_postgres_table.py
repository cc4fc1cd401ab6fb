"""A table of vectors: what it is called, what its columns hold, and which indexes serve a distance on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from psycopg import sql

from truerecall.engines._address import parsed
from truerecall.engines._postgres import Session
from truerecall.engines._postgres_wire import Element
from truerecall.errors import InputError, UnknownName
from truerecall.store.postgres import Table

OPERATORS = {"l2": "<->", "ip": "<#>", "cosine": "<=>", "l1": "<+>", "hamming": "<~>"}
ID_TYPES = ("smallint", "integer", "bigint", "text", "character varying", "uuid")
PARTS = ("id", "vector")
WRITE = "write TABLE?id=COLUMN&vector=COLUMN"


@dataclass(frozen=True)
class Address:
    """``TABLE?id=COLUMN&vector=COLUMN``. Names are taken as they stand, case and all; what parts them is written in per
    cent (``%26`` for ``&``)."""

    table: Table
    id: str
    vector: str

    @classmethod
    def parse(cls, text: str) -> Address:
        """Raises InputError."""
        table, given = parsed(text, PARTS)
        for name in PARTS:
            if name not in given:
                raise InputError(f"{text} names no {name}", WRITE)
        return cls(Table(unquote(table)), given["id"], given["vector"])

    def __str__(self) -> str:
        return f"{self.table}?id={self.id}&vector={self.vector}"


@dataclass(frozen=True)
class Stored:
    """A table as it stands in the catalogue. ``id_type``: one of ID_TYPES."""

    oid: int
    address: Address
    id_type: str
    element: Element

    @property
    def id(self) -> sql.Composable:
        """The column of ids, a UUID as its text in lower case."""
        own = column(self.address.id)
        return sql.SQL("{}::text").format(own) if self.id_type == "uuid" else own

    @property
    def vector(self) -> sql.Identifier:
        return column(self.address.vector)

    @property
    def table(self) -> sql.Identifier:
        return self.address.table.identifier


@dataclass(frozen=True)
class Serving:
    """An index by whose operator class a distance can be searched. ``options``: as it was made, such as ``lists``;
    ``predicate``: which rows it covers, as SQL, None where all. ``valid``: the planner may use it, and writes reach it.
    """

    oid: int
    name: str
    method: str
    options: Mapping[str, str]
    predicate: str | None
    valid: bool


def column(name: str) -> sql.Identifier:
    """A column, for a statement with parameters."""
    return sql.Identifier(name.replace("%", "%%"))


def look_up(session: Session, address: Address) -> Stored:
    """The table that the address names. Raises InputError where it is none of vectors."""
    found = session.rows(
        "SELECT attrelid, attname, format_type(atttypid, NULL), typname, atttypmod FROM pg_attribute"
        " JOIN pg_type t ON t.oid = atttypid WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped",
        [sql.Identifier(*address.table.name.split(".")).as_string(session.connection)],
    )
    if not found:
        raise InputError(f"there is no table {address.table}", "check its name, its schema and the connection")
    columns = {name: rest for _, name, *rest in found}
    for name in (address.id, address.vector):
        if name not in columns:
            raise UnknownName(f"column of {address.table}", name, columns)
    id_type = columns[address.id][0]
    if id_type not in ID_TYPES:
        raise InputError(f"{address.id} of {address.table} is of type {id_type}", f"ids are {', '.join(ID_TYPES)}")
    shown, kind, width = columns[address.vector]
    if kind not in ("vector", "halfvec", "bit"):
        raise InputError(f"{address.vector} of {address.table} is of type {shown}", "name one of vector, halfvec, bit")
    stored = Stored(found[0][0], address, id_type, Element(kind, width))
    return stored if width > 0 else _measured(session, stored)


def types_of(session: Session, table: Table) -> dict[str, str]:
    """The type of each column of a table, without its length."""
    found = session.rows(
        "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute"
        " WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped",
        [sql.Identifier(*table.name.split(".")).as_string(session.connection)],
    )
    return dict(found)


def _measured(session: Session, stored: Stored) -> Stored:
    """The same where the column was declared without dimensions: with those of a vector in it."""
    first = session.rows(
        sql.SQL("SELECT {}({v}) FROM {} WHERE {v} IS NOT NULL LIMIT 1").format(
            session.extension_name("vector_dims"), stored.table, v=stored.vector
        )
    )
    if not first:
        raise InputError(f"{stored.address.table} holds no vector", "fill it first")
    return Stored(stored.oid, stored.address, stored.id_type, Element(stored.element.name, first[0][0]))


def serving(session: Session, stored: Stored, distance: str) -> list[Serving]:
    """The indexes on the column whose operator class orders by this distance, by name."""
    found = session.rows(
        "SELECT c.oid, c.relname, am.amname, coalesce(c.reloptions, '{}'), pg_get_expr(i.indpred, i.indrelid),"
        " i.indisvalid AND i.indisready FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
        " JOIN pg_am am ON am.oid = c.relam JOIN pg_opclass o ON o.oid = i.indclass[0]"
        " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]"
        " WHERE i.indislive AND i.indrelid = %s AND a.attname = %s AND EXISTS (SELECT FROM pg_amop p"
        " JOIN pg_operator own ON own.oid = p.amopopr WHERE p.amopfamily = o.opcfamily AND p.amoppurpose = 'o'"
        " AND p.amoplefttype = o.opcintype AND own.oprname = %s) ORDER BY c.relname",
        [stored.oid, stored.address.vector, OPERATORS[distance]],
    )
    return [
        Serving(oid, name, method, dict(option.split("=", 1) for option in options), predicate, valid)
        for oid, name, method, options, predicate, valid in found
    ]


def demand_served(stored: Stored, distance: str) -> None:
    """Raises InputError where the type of the column has no operator for the distance."""
    if (stored.element.name == "bit") != (distance == "hamming"):
        raise InputError(
            f"{stored.address.vector} of {stored.address.table} is of type {stored.element.name}, which has no"
            f" {distance}",
            "ask for hamming on bit, and for l2, ip, cosine or l1 on vector and halfvec",
        )
