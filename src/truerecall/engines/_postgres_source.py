"""The vectors in a table of PostgreSQL, streamed as they were at one moment."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from psycopg import sql

from truerecall.engines._postgres import Session, open_session, told_as_ours
from truerecall.engines._postgres_table import Address, Stored, look_up, types_of
from truerecall.engines._postgres_wire import Wire
from truerecall.errors import EngineFailed, InputError, UnknownName
from truerecall.model.arrays import Ids, Integers, Vectors, texts
from truerecall.model.attributes import Attributes, Column, demand_numbers
from truerecall.model.ids import as_ids, refuse_repeated
from truerecall.model.source import refilled
from truerecall.model.vectors import Corpus

IDS_AT_ONCE = 50_000
BYTES_AT_ONCE = 4 * 2**20
TAKEN_AT_ONCE = 2_000
CURSORS = count()
KINDS: Mapping[str, tuple[Any, str, Any]] = {
    **dict.fromkeys(("smallint", "integer", "bigint"), (np.int64, "bigint", 0)),
    **dict.fromkeys(("real", "double precision", "numeric"), (np.float64, "double precision", 0.0)),
    "boolean": (np.bool_, "boolean", False),
    **dict.fromkeys(("text", "character varying", "uuid"), (None, "text", "")),
}
"""For each type of a column that filters can look at: our element type, as what it is asked for, and what stands where
there is no value. A numeric comes as the nearest float64."""


@dataclass(eq=False)
class TableSource:
    """A CorpusSource over the rows that have a vector, in the order of their ids.

    All passes read one snapshot: they are made in one REPEATABLE READ transaction, which stays open as long as the
    source is in use. ``left_out``: rows whose vector is NULL; the name tells of them. A source that is sent to another
    process reads the same snapshot there, while this one is open.
    """

    address: Address
    dsn_file: Path | None
    snapshot: str | None = None
    ids: Ids = field(init=False)
    left_out: int = field(init=False)

    def __post_init__(self) -> None:
        self.session = _in_transaction(self.dsn_file, self.snapshot)
        weakref.finalize(self, self.session.close)
        self.stored: Stored = look_up(self.session, self.address)
        self.left_out = self.session.rows(self._select("count(*)", "IS NULL"))[0][0]
        read = [own for (own,) in self._stream(self._select("{id}", "IS NOT NULL", ordered=True), IDS_AT_ONCE)]
        if any(own is None for own in read):
            raise InputError(f"{self.name} has rows without an id", "give every row its own id")
        if not read:
            raise InputError(f"{self.name} holds no vector", "fill it first")
        self.ids = as_ids(read, what=self.name)
        refuse_repeated(self.ids, what=self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.snapshot is None:
            self.snapshot = str(self.session.rows("SELECT pg_export_snapshot()")[0][0])
        return (TableSource, (self.address, self.dsn_file, self.snapshot))

    @property
    def name(self) -> str:
        without = f" ({self.left_out} rows without a vector left out)" if self.left_out else ""
        return f"pgvector:{self.address}{without}"

    @property
    def rows(self) -> int:
        return len(self.ids)

    @property
    def dimensions(self) -> int:
        return self.stored.element.dimensions

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.stored.element.dtype

    @property
    def bits(self) -> int | None:
        return self.stored.element.bits

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        buffer = np.empty((min(rows, self.rows - start), self.dimensions), self.dtype)
        statement = self._select("{vector}", "IS NOT NULL", ordered=True) + sql.SQL(" OFFSET {}").format(start)
        yield from refilled(self._pieces(statement), buffer, start)

    def take(self, rows: Integers) -> Vectors:
        taken = np.empty((len(rows), self.dimensions), self.dtype)
        wanted, places = np.unique(rows, return_inverse=True)
        statement = self._select("{id}, {vector}", "IS NOT NULL") + sql.SQL(" AND {} = ANY(%s::{}[])").format(
            sql.Identifier(self.address.id.replace("%", "%%")),
            sql.SQL(self.stored.id_type),
        )
        for first in range(0, len(wanted), TAKEN_AT_ONCE):
            own = wanted[first : first + TAKEN_AT_ONCE]
            found = dict(self.session.rows(statement, [self.ids[own].tolist()]))
            vectors = self._unpacked([found[name] for name in self.ids[own].tolist()])
            inside = (places >= first) & (places < first + len(own))
            taken[inside] = vectors[places[inside] - first]
        return taken

    def read(self, names: Iterable[str]) -> Attributes:
        """Columns of the same rows at the same moment (see AttributeSource)."""
        return Attributes({name: self._column(name) for name in names})

    def _column(self, name: str) -> Column:
        kinds = types_of(self.session, self.address.table)
        if name not in kinds:
            raise UnknownName(f"column of {self.address.table}", name, kinds)
        shown = kinds[name]
        if shown not in KINDS:
            raise InputError(
                f"{name} of {self.address.table} is of type {shown}", "name a column of numbers, texts or truth values"
            )
        kind, cast, empty = KINDS[shown]
        statement = self._select(f"{{column}}::{cast}", "IS NOT NULL", ordered=True, column=name)
        found = [value for (value,) in self._stream(statement, IDS_AT_ONCE)]
        filled = [empty if value is None else value for value in found]
        values = texts(filled) if kind is None else np.array(filled, kind)
        demand_numbers(values, what=f"{name} of {self.address.table}")
        return Column(values, np.array([value is None for value in found], np.bool_))

    def _select(self, what: str, condition: str, *, ordered: bool = False, column: str = "") -> sql.Composed:
        """Part of a statement, from texts of this file alone."""
        text = f"SELECT {what} FROM {{table}} WHERE {{vector}} {condition}" + (" ORDER BY {own}" if ordered else "")
        own = sql.Identifier(self.address.id.replace("%", "%%"))
        named = sql.Identifier(column.replace("%", "%%"))
        return sql.SQL(text).format(
            id=self.stored.id, vector=self.stored.vector, table=self.stored.table, own=own, column=named
        )

    def _pieces(self, statement: sql.Composable) -> Iterator[Vectors]:
        at_once = max(1, BYTES_AT_ONCE // self.stored.element.record.itemsize)
        batch: list[Wire] = []
        for (own,) in self._stream(statement, at_once):
            batch.append(own)
            if len(batch) == at_once:
                yield self._unpacked(batch)
                batch = []
        yield self._unpacked(batch)

    def _unpacked(self, values: list[Any]) -> Vectors:
        return self.stored.element.unpack(values, name=self.name)

    def _stream(self, statement: sql.Composable, at_once: int) -> Iterator[tuple[Any, ...]]:
        """The rows of a statement through a cursor of the server, so many in memory at a time."""
        with (
            told_as_ours(),
            self.session.connection.cursor(f"truerecall_{next(CURSORS)}", binary=True) as cursor,
        ):
            cursor.itersize = at_once
            cursor.execute(statement.as_bytes(self.session.connection), [])
            yield from cursor


def open_source(name: str, dsn_file: Path | None) -> Corpus:
    """The table as a corpus, its rows called by the ids that they have there."""
    source = TableSource(Address.parse(name), dsn_file)
    return Corpus(source, source.ids, attributes=source)


def _in_transaction(dsn_file: Path | None, snapshot: str | None) -> Session:
    """A session within a transaction that sees one state of the database, and which nothing ends but its close."""
    session = open_session(dsn_file, read_only=True)
    try:
        session.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        if snapshot is not None:
            with told_as_ours():
                session.connection.execute(sql.SQL("SET TRANSACTION SNAPSHOT {}").format(snapshot))
    except EngineFailed:
        session.close()
        raise
    return session
