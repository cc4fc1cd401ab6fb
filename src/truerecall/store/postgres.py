"""PostgreSQL: how it is reached, what a table is called in it, and its failures as ours.

Statements are put together from ``psycopg.sql`` alone, names as ``Identifier``, values as parameters: a name or a value
is never part of the text of a statement.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from truerecall.errors import EngineFailed, InputError, MissingExtra, TruerecallError
from truerecall.store.attributes.files import text_lines

try:
    import psycopg
    from psycopg import sql
    from psycopg.conninfo import conninfo_to_dict
except ImportError:
    raise MissingExtra("psycopg", "postgres") from None

Connection = psycopg.Connection[Any]
LONGEST_NAME_BYTES = 63
CONNECT_TIMEOUT_S = 10


@contextmanager
def connected(dsn_file: Path | None = None) -> Iterator[Connection]:
    """A connection as ``connect`` gives it, closed at the end. What PostgreSQL refuses inside the block is raised as
    ``ours`` says."""
    connection = connect(dsn_file)
    try:
        with connection:
            yield connection
    except psycopg.Error as error:
        raise ours(error) from None


def connect(dsn_file: Path | None = None) -> Connection:
    """A connection as the PG* variables say, or as the connection string in a file does (the variables say the rest).

    Each statement stands on its own; ``connection.transaction()`` binds several. Raises EngineFailed, never with a
    password.
    """
    given = {} if dsn_file is None else _given_in(dsn_file)
    patience = {} if "PGCONNECT_TIMEOUT" in os.environ else {"connect_timeout": CONNECT_TIMEOUT_S}
    own = {**patience, "fallback_application_name": "truerecall", "client_encoding": "UTF8"}
    try:
        return psycopg.connect(**{**own, **given}, autocommit=True)
    except psycopg.Error as error:
        said = _without(str(given.get("password") or ""), str(error))
        raise EngineFailed(
            f"PostgreSQL cannot be reached: {said}", "set PGHOST, PGPORT, PGUSER, PGDATABASE, or give --dsn-file"
        ) from None


@dataclass(frozen=True)
class Table:
    """``TABLE`` or ``SCHEMA.TABLE``, taken as it stands: case counts, and quotes and semicolons are letters like
    others. Raises InputError for a name that PostgreSQL cannot have."""

    name: str

    def __post_init__(self) -> None:
        parts = self.name.split(".")
        if len(parts) > 2 or not all(part.strip() for part in parts) or "\0" in self.name:
            raise InputError(f"{self.name!r} is no name of a table", "write TABLE or SCHEMA.TABLE")
        if any(len(os.fsencode(part)) > LONGEST_NAME_BYTES for part in parts):
            raise InputError(
                f"{self.name!r} is longer than the {LONGEST_NAME_BYTES} bytes of a PostgreSQL name", "shorten it"
            )

    def __str__(self) -> str:
        return self.name

    @property
    def identifier(self) -> sql.Identifier:
        """For statements with parameters, be they none: a percent sign is written twice there."""
        return sql.Identifier(*self.name.replace("%", "%%").split("."))


def columns_of(connection: Connection, table: Table) -> dict[str, str]:
    """The columns of a table and their types, without lengths and precisions; empty where there is no such table."""
    query = (
        "SELECT attname, atttypid::regtype::text FROM pg_attribute"
        " WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped"
    )
    return dict(connection.execute(query, [sql.Identifier(*table.name.split(".")).as_string(connection)]).fetchall())


def _given_in(file: Path) -> dict[str, Any]:
    """The parameters in a file that holds a connection string. Its text is never shown, for it may be a password."""
    text = "\n".join(text_lines(file)).strip()
    if not text:
        raise InputError(f"{file} is empty", "write a connection string into it, as postgresql://USER@HOST/DATABASE")
    uri = re.match("postgres(?:ql)?://", text)
    if uri is not None:
        # The library would take what stands behind such a letter for a host, and name it.
        user, _, place = text[uri.end() :].partition("@")
        if "@" in place or (place and "/" in user):
            raise InputError(f"the user or the password in {file} holds @ or /", "write @ as %40 and / as %2F")
    try:
        return conninfo_to_dict(text)
    except psycopg.Error:
        raise InputError(
            f"{file} holds no connection string", "write postgresql://USER:PASSWORD@HOST/DATABASE, or NAME=VALUE pairs"
        ) from None


def _without(secret: str, text: str) -> str:
    return text.replace(secret, "***") if secret else text


def ours(error: psycopg.Error) -> TruerecallError:
    """What PostgreSQL refused, as InputError (values that it cannot hold) or EngineFailed (all else)."""
    said = error.diag.message_primary or str(error)
    if isinstance(error, psycopg.DataError):
        return InputError(
            f"PostgreSQL cannot hold this: {said}", "nothing was changed; give values that its columns take"
        )
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return EngineFailed(f"PostgreSQL refuses: {said}", "have the right granted, or use another table or user")
    if isinstance(error, psycopg.errors.QueryCanceled):
        return EngineFailed(
            f"PostgreSQL broke off: {said}", "where it took too long, set PGOPTIONS='-c statement_timeout=30min'"
        )
    if error.sqlstate is None or isinstance(error, psycopg.OperationalError):
        return EngineFailed(f"PostgreSQL broke off: {said}", "nothing was changed; try again")
    return EngineFailed(f"PostgreSQL refuses: {said}", "nothing was changed; name another table, or put that right")
