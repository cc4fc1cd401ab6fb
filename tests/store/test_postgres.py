"""How PostgreSQL is reached and what a table may be called: every refusal in one line, and never with a password."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.postgres import OWNER, Server
from truerecall.errors import EngineFailed, InputError, TruerecallError
from truerecall.store.postgres import Table, columns_of, connected

SECRET = "geheim"


def refusal(dsn_file: Path | None = None) -> TruerecallError:
    with pytest.raises(TruerecallError) as refused, connected(dsn_file):
        pass
    assert SECRET not in str(refused.value)
    return refused.value


def test_the_variables_and_a_file_lead_to_the_same_place(
    database: str, postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = "SELECT current_database(), current_setting('application_name')"
    with connected() as connection:
        assert connection.execute(ask).fetchone() == (database, "truerecall")
    monkeypatch.setenv("PGDATABASE", "elsewhere")
    file = tmp_path / "dsn"
    for text in (
        f"dbname='{database}'",
        f"postgresql:///{database.replace(' ', '%20')}\n",
        f"host={postgres_server.folder}\nuser={OWNER} dbname='{database}'",
    ):
        file.write_text(text)
        with connected(file) as connection:
            assert connection.execute(ask).fetchone() == (database, "truerecall")


def test_a_wrong_password_is_not_shown(
    database: str, postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, place = tmp_path / "dsn", f"127.0.0.1:{postgres_server.port}/postgres"
    for text in (f"postgresql://{OWNER}:{SECRET}@{place}", f"host=127.0.0.1 user={OWNER} password={SECRET}"):
        file.write_text(text)
        refused = refusal(file)
        assert isinstance(refused, EngineFailed)
        assert f'password authentication failed for user "{OWNER}"' in str(refused)
    monkeypatch.setenv("PGHOST", "127.0.0.1")
    monkeypatch.setenv("PGPASSWORD", SECRET)
    assert "password authentication failed" in str(refusal())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        (f"postgresql://me:{SECRET}@{SECRET}@host/db", "write @ as %40"),
        (f"postgresql://me:{SECRET}/{SECRET}@host/db", "write @ as %40"),
        (f"postgresql://me:{SECRET}%zz@host/db", "holds no connection string"),
        (f"password=x {SECRET}", "holds no connection string"),
        (SECRET, "holds no connection string"),
        (f"hots=here password={SECRET}", "holds no connection string"),
    ],
)
def test_a_file_without_a_connection_string_is_refused_unread(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "dsn"
    file.write_text(text)
    refused = refusal(file)
    assert isinstance(refused, InputError)
    assert words in str(refused)


def test_no_file_and_no_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "dsn does not exist" in str(refusal(tmp_path / "dsn"))
    monkeypatch.setenv("PGHOST", str(tmp_path))
    refused = refusal()
    assert isinstance(refused, EngineFailed)
    assert "cannot be reached" in str(refused)
    assert "--dsn-file" in str(refused)


def test_what_goes_wrong_inside_is_told_as_ours(
    database: str, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for statement, error, words in (
        ("SELECT 5000000000::integer", InputError, "integer out of range"),
        ("SELECT nonsense", EngineFailed, 'column "nonsense" does not exist'),
        ("SELECT pg_terminate_backend(pg_backend_pid())", EngineFailed, "broke off"),
    ):
        with pytest.raises(error, match=words), connected() as connection:
            connection.execute(statement)
    with postgres_server.connect(database) as owner:
        owner.execute("CREATE ROLE reader LOGIN")
        try:
            monkeypatch.setenv("PGUSER", "reader")
            with pytest.raises(EngineFailed, match="have the right granted"), connected() as connection:
                connection.execute("CREATE TABLE t ()")
        finally:
            owner.execute("DROP ROLE reader")


@pytest.mark.parametrize("name", ["", ".", "a.", ".a", "a.b.c", " ", "x" * 64, "ü" * 32, "a\0b"])
def test_what_no_table_can_be_called(name: str) -> None:
    with pytest.raises(InputError, match=r"name"):
        Table(name)


@pytest.mark.parametrize("name", ["plain", "With Capitals", 'a"b', "; DROP TABLE x; --", "%s", "{}", "x" * 63, "ü"])
def test_a_name_is_taken_as_it_stands(name: str, database: str) -> None:
    with connected() as connection:
        for table in (Table(name), Table(f"public.{name}")):
            assert str(table).endswith(name)
        assert columns_of(connection, table) == {}
        connection.execute(psycopg.sql.SQL("CREATE TABLE {} (a bigint, b numeric(9,2)[])").format(table.identifier), [])
        assert columns_of(connection, Table(name)) == {"a": "bigint", "b": "numeric[]"}
        assert columns_of(connection, Table(name.upper() + "?"[: 63 - len(name)])) == {}


def test_without_the_library_the_extra_is_named() -> None:
    script = (
        "import sys; sys.modules['psycopg'] = None\n"
        "try: import truerecall.store.postgres\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "MissingExtra psycopg is not installed; run: pip install 'truerecall[postgres]'\n"
