"""A session with a PostgreSQL server that has pgvector: opened, with the extension at work, and told in our words.

psycopg prepares a statement that it has seen five times, and PostgreSQL may then plan it once for all values: with a
LIMIT that it guesses, and so perhaps past the index. Here nothing is prepared. Every call is planned by itself for its
own vector and k, and EXPLAIN of the same text with the same values shows the plan that ran.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format

from truerecall.engines._postgres_wire import Wire
from truerecall.errors import InputError
from truerecall.store.postgres import Connection, connect, ours

LONGEST_STATEMENT = "5min"
"""How long a statement may take in a table of others, where neither server, role nor PGOPTIONS set a limit."""
TYPES = ("vector", "halfvec", "bit")
Cursor = psycopg.Cursor[Any]


@dataclass(frozen=True, eq=False)
class Session:
    """``schema``: where the extension lies, whose types and operators are named with it; ``versions``: of pgvector and
    of the server, in words."""

    connection: Connection
    cursor: Cursor
    schema: str
    versions: str

    def rows(self, statement: sql.Composable | str, values: Sequence[Any] = ()) -> list[Any]:
        """What a statement gives. Raises EngineFailed, or InputError for values that PostgreSQL cannot hold."""
        with told_as_ours():
            text = statement.as_bytes(self.connection) if isinstance(statement, sql.Composable) else statement.encode()
            self.cursor.execute(text, values)
            return [] if self.cursor.description is None else self.cursor.fetchall()

    def extension_name(self, name: str) -> sql.Identifier:
        """A type or function of pgvector, for a statement with parameters."""
        return sql.Identifier(*(part.replace("%", "%%") for part in (self.schema, name)))

    def close(self) -> None:
        self.connection.close()


@contextmanager
def told_as_ours() -> Iterator[None]:
    """What PostgreSQL refuses inside the block is raised as an error of ours."""
    try:
        yield
    except psycopg.Error as error:
        raise ours(error) from None


def open_session(dsn_file: Path | None, *, read_only: bool) -> Session:
    """A session in which the extension is loaded, so that a setting of it is refused where it is wrong.

    Before that PostgreSQL takes any value for any name and forgets it. ``read_only``: no statement can write, and none
    may take longer than the limit that is set or LONGEST_STATEMENT.
    """
    connection = connect(dsn_file)
    try:
        connection.prepare_threshold = None
        with told_as_ours():
            # Otherwise a backslash in the text of a filter would begin an escape.
            connection.execute("SET standard_conforming_strings = on")
            if read_only:
                connection.execute("SELECT set_config('default_transaction_read_only', 'on', false)")
                connection.execute(
                    "SELECT set_config('statement_timeout', %s, false)"
                    " WHERE current_setting('statement_timeout') = '0'",
                    [LONGEST_STATEMENT],
                )
            else:
                # In a table of our own a search runs on one thread, as a plan promises.
                connection.execute("SET max_parallel_workers_per_gather = 0")
            return _with_vectors(connection)
    except BaseException:
        connection.close()
        raise


def _with_vectors(connection: Connection) -> Session:
    found = connection.execute(
        "SELECT extversion, nspname, current_setting('server_version'), current_database() FROM pg_database"
        " LEFT JOIN (pg_extension JOIN pg_namespace n ON n.oid = extnamespace) ON extname = 'vector'"
        " WHERE datname = current_database()"
    ).fetchone()
    assert found is not None
    version, schema, server, database = found
    if version is None:
        raise InputError(f"the database {database} has no pgvector", "run there: CREATE EXTENSION vector")
    for name in TYPES:
        own = "pg_catalog.bit" if name == "bit" else sql.Identifier(schema, name).as_string(connection)
        oid = connection.execute("SELECT coalesce(to_regtype(%s)::oid, 0)", [own]).fetchone()
        if oid is not None and oid[0]:
            _speak(connection, name, oid[0])
    cursor = connection.cursor(binary=True)
    session = Session(connection, cursor, schema, f"pgvector {version} on PostgreSQL {server.split()[0]}")
    session.rows(sql.SQL("SELECT '[1]'::{}").format(session.extension_name("vector")))
    return session


def _speak(connection: Connection, name: str, oid: int) -> None:
    """Send and receive a type as the bytes that it has on the wire."""
    dumper = type(f"{name.title()}Dumper", (_WireDumper,), {"oid": oid})
    connection.adapters.register_dumper(Wire.of(name), dumper)
    connection.adapters.register_loader(oid, _WireLoader)


class _WireDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: Any) -> bytes:
        return bytes(obj)


class _WireLoader(Loader):
    format = Format.BINARY

    def load(self, data: Any) -> bytes:
        return bytes(data)
