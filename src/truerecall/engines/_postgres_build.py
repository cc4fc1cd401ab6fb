"""A table of its own in a schema of its own, filled from a corpus and indexed; what finds it again is a small file.

What is chance: pgvector draws the levels of an HNSW graph and the centroids of its lists by a generator of the server
that nobody can seed, and workers that build together meet in any order. Two builds of one seed differ.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import psycopg
from psycopg import sql

from truerecall.engines._attribute_tables import demand_free_names
from truerecall.engines._postgres import Session, told_as_ours
from truerecall.engines._postgres_callers import Callers
from truerecall.engines._postgres_copy import COPY_END, COPY_HEAD, tuples_of, wide_tuples
from truerecall.engines._postgres_index import PgvectorIndex
from truerecall.engines._postgres_table import Address, column, look_up, serving
from truerecall.engines._postgres_wire import Element
from truerecall.errors import InputError
from truerecall.model.arrays import Vectors
from truerecall.model.attributes import Attributes, Column
from truerecall.model.engine import Answer, Settings
from truerecall.model.source import CorpusSource
from truerecall.store.postgres import Table

TYPES = {"integers": "bigint", "floats": "double precision", "booleans": "boolean", "texts": "text"}
OWN_SCHEMA = "truerecall_"
TABLE, ID, VECTOR, INDEX = "rows", "id", "vector", "vector_index"


class BuiltIndex(PgvectorIndex):
    """An index of our own, with the rows under their numbers. Closed before it was saved it leaves nothing behind."""

    saved = False

    def delete(self, rows: Answer) -> None:
        self._write(sql.SQL("DELETE FROM {} WHERE id = ANY(%s)"), [([int(row) for row in rows],)])

    def update(self, rows: Answer, vectors: Vectors) -> None:
        cast = self.prepare(vectors)
        wires = [self.stored.element.wire(cast[i : i + 1]) for i in range(len(cast))]
        values = [(wire, int(row)) for wire, row in zip(wires, rows, strict=True)]
        self._write(sql.SQL("UPDATE {} SET vector = %s WHERE id = %s"), values)

    def save(self, path: Path) -> None:
        """What finds the index: its schema, and which files of the server hold it, so that it is known again."""
        found = {"schema": self.schema, "index_file": self.index_file()}
        path.write_text(json.dumps({"pgvector": found}), encoding="utf-8")
        self.saved = True

    def index_file(self) -> int | None:
        """The number of the file that holds the index; REINDEX gives it another. None where there is no index."""
        if self.chosen is None:
            return None
        with self.callers.one() as session:
            found = session.rows("SELECT pg_relation_filenode(%s)", [self.chosen.oid])
        return None if not found else found[0][0]

    def close(self) -> None:
        if not self.saved and self.callers.everyone:
            with suppress(psycopg.Error):  # where the server is gone, to close is all that is left
                self.callers.everyone[0].connection.execute(
                    sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(self.schema))
                )
        super().close()

    @property
    def schema(self) -> str:
        return self.stored.address.table.name.split(".")[0]

    def _write(self, statement: sql.SQL, values: Sequence[tuple[object, ...]]) -> None:
        """All of them or none."""
        with self.callers.one() as session, told_as_ours(), session.connection.transaction():
            text = statement.format(self.stored.table).as_bytes(session.connection)
            for own in values:
                session.cursor.execute(text, own)


def build_index(
    callers: Callers,
    source: CorpusSource,
    distance: str,
    build: Settings,
    *,
    threads: int,
    attributes: Attributes | None = None,
) -> BuiltIndex:
    """The rows of the corpus in a new table, then an index over them, then what the planner wants to know: all of it or
    nothing."""
    columns = demand_free_names(attributes)
    element = Element(str(build["type"]), source.dimensions if source.bits is None else source.bits)
    schema = f"{OWN_SCHEMA}{uuid.uuid4().hex}"
    with callers.one() as session, told_as_ours(), session.connection.transaction():
        _create(session, schema, element, columns)
        _fill(session, schema, element, source, columns)
        _index(session, schema, element, distance, build, threads)
        session.rows(sql.SQL("ANALYZE {}").format(sql.Identifier(schema, TABLE)))
    return _opened(callers, schema, source, distance)


def discard_index(callers: Callers, path: Path) -> None:
    """Drop the schema that ``save`` wrote of, with all that is in it."""
    with callers.one() as session:
        session.rows(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(_saved(path)[0])))


def load_index(callers: Callers, path: Path, source: CorpusSource, distance: str) -> BuiltIndex:
    """What ``save`` wrote. Raises InputError where it is no such file, or where the index is gone or another."""
    schema, files = _saved(path)
    index = _opened(callers, schema, source, distance)
    index.saved = True
    if index.index_file() != files:
        raise InputError(f"the index in {schema} was made anew since {path} was written", "build it again")
    held = index.state().rows, index.stored.element.width
    if held != (source.rows, source.dimensions if source.bits is None else source.bits):
        words = f"{schema} holds {held[0]} rows of {held[1]} dimensions and {source.name} {source.rows} of "
        raise InputError(f"{words}{source.dimensions}", "build it again")
    return index


def _saved(path: Path) -> tuple[str, int]:
    """The schema and the file of the index that ``save`` wrote of. Raises InputError."""
    try:
        found = json.loads(path.read_bytes())["pgvector"]
        schema, files = str(found["schema"]), int(found["index_file"])
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path} is no index of pgvector", "build it again") from None
    if not schema.startswith(OWN_SCHEMA):
        raise InputError(f"{path} names {schema}, which is no schema of ours", "build it again")
    return schema, files


def _opened(callers: Callers, schema: str, source: CorpusSource, distance: str) -> BuiltIndex:
    """The index over the table in a schema of ours. Raises InputError where there is no table."""
    with callers.one() as session:
        stored = look_up(session, Address(Table(f"{schema}.{TABLE}"), ID, VECTOR))
        indexes = serving(session, stored, distance)
    lossless = np.can_cast(source.dtype, stored.element.dtype)
    cast = "none" if source.dtype == stored.element.dtype else f"cast from {source.dtype} to {stored.element.name}"
    return BuiltIndex(callers, stored, distance, indexes, answers="rows", transform=cast, lossless=lossless)


def _create(session: Session, schema: str, element: Element, columns: Mapping[str, Column]) -> None:
    kind = sql.SQL("bit") if element.name == "bit" else session.extension_name(element.name)
    own = sql.Composed(
        [sql.SQL(", {} {}").format(column(name), sql.SQL(TYPES[held.kind])) for name, held in columns.items()]
    )
    session.rows(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
    # Nothing but the searches is to move while it is measured.
    session.rows(
        sql.SQL("CREATE TABLE {} (id bigint PRIMARY KEY, vector {}({}){}) WITH (autovacuum_enabled = off)").format(
            sql.Identifier(schema, TABLE), kind, sql.Literal(element.width), own
        )
    )


def _fill(session: Session, schema: str, element: Element, source: CorpusSource, columns: Mapping[str, Column]) -> None:
    # Frozen rows are not written again by those who first read them.
    copying = sql.SQL("COPY {} FROM STDIN (FORMAT BINARY, FREEZE)").format(sql.Identifier(schema, TABLE))
    tuples = wide_tuples(element, source, columns) if columns else tuples_of(element, source)
    with session.cursor.copy(copying) as copy:
        copy.write(COPY_HEAD)
        for piece in tuples:
            copy.write(piece)
        copy.write(COPY_END)


def _index(session: Session, schema: str, element: Element, distance: str, build: Settings, threads: int) -> None:
    session.rows("SELECT set_config('max_parallel_maintenance_workers', %s, true)", [str(threads - 1)])
    options = sql.SQL(", ").join(
        sql.SQL("{} = {}").format(sql.Identifier(name), sql.Literal(value))
        for name, value in build.items()
        if name not in ("index", "type")
    )
    session.rows(
        sql.SQL("CREATE INDEX {} ON {} USING {} (vector {}) WITH ({})").format(
            sql.Identifier(INDEX),
            sql.Identifier(schema, TABLE),
            sql.Identifier(str(build["index"])),
            session.extension_name(f"{element.name}_{distance}_ops"),
            options,
        )
    )
