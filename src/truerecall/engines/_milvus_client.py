"""How Milvus is reached: a server whose address the environment or a file holds, or Milvus Lite in this process.

``MILVUS_URI`` is an address as ``http://HOST:PORT``, or a file of Milvus Lite, whose name ends in ``.db``;
``MILVUS_TOKEN`` is ``USER:PASSWORD`` or a key. A DSN file holds ``http://USER:PASSWORD@HOST:PORT``, or a file's name.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from truerecall.engines._library import imported, installed
from truerecall.errors import EngineFailed, InputError, MissingExtra
from truerecall.model.engine import Place

FILE = "milvus.db"
CONNECT_TIMEOUT_S = 10
STATEMENT_TIMEOUT_S = 60


@dataclass(frozen=True)
class Address:
    """Where Milvus is. ``token`` is never shown."""

    uri: str
    token: str = field(default="", repr=False)

    @property
    def file(self) -> Path | None:
        """The file of Milvus Lite, None where it is a server's address."""
        return Path(self.uri) if self.uri.endswith(".db") else None


def address(place: Place) -> Address | None:
    """Where the environment or the DSN file says that Milvus is; None where neither does. Raises InputError."""
    if place.dsn_file is None:
        uri, token = os.environ.get("MILVUS_URI", ""), os.environ.get("MILVUS_TOKEN", "")
    else:
        try:
            uri, token = place.dsn_file.read_text().strip(), ""
        except (OSError, UnicodeDecodeError):
            raise InputError(f"{place.dsn_file} cannot be read", "name a file that holds http://HOST:PORT") from None
        if not uri or "\n" in uri:
            raise InputError(f"{place.dsn_file} holds no address", "write one line into it, as http://HOST:PORT")
    if not uri:
        return None
    parts = urlsplit(uri)
    if "@" in parts.netloc:
        user, _, host = parts.netloc.rpartition("@")
        uri, token = urlunsplit(parts._replace(netloc=host)), unquote(user)
    if not uri.endswith(".db") and parts.scheme not in ("http", "https", "tcp", "unix"):
        raise InputError("the address of Milvus is neither a URI nor a file", "give http://HOST:PORT, or NAME.db")
    return Address(uri, token)


def server(place: Place) -> Address | None:
    """The server that the environment or the DSN file leads to; None where they name none."""
    where = address(place)
    return where if where and where.file is None else None


def demanded(place: Place) -> Address:
    """Where Milvus is. Raises InputError where nothing says so."""
    where = address(place)
    if where is None:
        raise InputError("nothing says where Milvus is", "set MILVUS_URI, or give --dsn-file")
    return where


def own_file(place: Place) -> Address:
    """A folder of Milvus Lite's in the place of an index."""
    place.folder.mkdir(parents=True, exist_ok=True)
    return Address(str(place.folder.absolute() / FILE))


def connected(where: Address) -> Any:
    """A client. Raises EngineFailed where Milvus cannot be reached."""
    library = pymilvus()
    if where.file is not None and installed("milvus-lite") is None:
        raise MissingExtra("milvus-lite", "milvus")
    try:
        return library.MilvusClient(where.uri, token=where.token, timeout=CONNECT_TIMEOUT_S)
    except library.exceptions.MilvusException as error:
        problem = f"Milvus cannot be reached at {where.uri}: {words(error, where.token)}"
        raise EngineFailed(problem, "set MILVUS_URI and MILVUS_TOKEN, or give --dsn-file") from None


def let_go(client: Any, file: Path | None) -> None:
    """Close the client and, of Milvus Lite in this process, the server behind it, which closing the client leaves."""
    client.close()
    if file is not None:
        from milvus_lite import server_manager_instance

        server_manager_instance.release_server(str(file))


@contextmanager
def refusals(doing: str) -> Iterator[None]:
    """What Milvus refuses inside the block is raised as InputError, with its own words."""
    library = pymilvus()
    try:
        yield
    except library.exceptions.MilvusException as error:
        raise InputError(f"Milvus cannot {doing}: {words(error)}", "see what it says") from None


def words(error: Any, secret: str = "") -> str:
    """Milvus's own, on one line and without a secret."""
    said = " ".join(str(error.message).split()).rstrip(". ")
    return said.replace(secret, "***") if secret else said


def pymilvus() -> Any:
    """The library, quiet. Raises MissingExtra.

    On import it puts what stands in a file ``.env`` into the environment, which is taken back. A file's name in
    ``MILVUS_URI`` it would refuse, so it does not see it.
    """
    before = dict(os.environ)
    try:
        os.environ.pop("MILVUS_URI", None)
        library = imported("pymilvus", package="pymilvus", extra="milvus")
    finally:
        for name in set(os.environ) - set(before):
            del os.environ[name]
        os.environ.update(before)
    for name in ("pymilvus", "milvus_lite", "grpc._server"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return library
