"""How a Qdrant server is reached, and its failures as ours.

``QDRANT_URL`` and ``QDRANT_API_KEY`` come from the environment, or from a file with a line ``NAME=VALUE`` for each.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from truerecall.engines._library import imported
from truerecall.errors import EngineFailed, InputError, TruerecallError
from truerecall.model.engine import Place
from truerecall.store.attributes.files import text_lines

qdrant = imported("qdrant_client", package="qdrant-client", extra="qdrant")
URL, API_KEY = "QDRANT_URL", "QDRANT_API_KEY"
TIMEOUT_S = 60
REACHING = f"set {URL} and, where it has one, {API_KEY}, or give --dsn-file"


def connected(place: Place) -> Any:
    """A client of a server. Raises InputError where nothing says which, and for the client's local mode."""
    given = os.environ if place.dsn_file is None else _given_in(place.dsn_file)
    if not given.get(URL):
        raise InputError(f"{URL} is not set", REACHING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of keys over http, which is the user's choice
        try:
            client = qdrant.QdrantClient(
                location=given[URL], api_key=given.get(API_KEY), timeout=TIMEOUT_S, check_compatibility=False
            )
        except ValueError:  # its message holds the address, which may hold a password
            raise InputError(f"{URL} holds no address of a server", "write http://HOST:PORT") from None
    refuse_local(client)
    return client


def server_in_words(client: Any) -> str:
    """Which server answers, by its version where it tells that; where it is might be a secret."""
    with asking(client):
        return f"Qdrant {client.info().version}"


def refuse_local(client: Any) -> None:
    """Raises InputError for the client's local mode: it scans every row, whatever it is told, and has no index."""
    if type(getattr(client, "_client", None)).__name__ == "QdrantLocal":
        client.close()
        raise InputError(
            "the local mode of qdrant-client searches exactly and has no index", "measure a server, or qdrant_edge"
        )


@contextmanager
def asking(client: Any) -> Iterator[None]:
    """What the client raises inside is raised as EngineFailed, never with a key."""
    try:
        yield
    except TruerecallError:
        raise
    except Exception as error:  # the classes differ between the client's transports
        problem, remedy = _said(error)
        key = client.init_options.get("api_key")
        raise EngineFailed(problem.replace(key, "***") if key else problem, remedy) from None


def _said(error: Exception) -> tuple[str, str]:
    status = getattr(error, "status_code", None)
    if status is None:
        return f"Qdrant cannot be reached: {error}", REACHING
    try:
        words = error.structured()["status"]["error"]  # type: ignore[attr-defined]
    except (ValueError, KeyError, TypeError, AttributeError):
        words = getattr(error, "reason_phrase", "")
    if status in (401, 403):
        return f"Qdrant refuses: {status} {words}", f"have the right granted, or set {API_KEY}"
    return f"Qdrant refuses: {status} {words}", "put that right; nothing else was changed"


def _given_in(file: Path) -> Mapping[str, str]:
    """The names and values in a file. Its text is never shown, for it may be a key."""
    given = {}
    for line in text_lines(file):
        name, equals, value = line.partition("=")
        if line.strip() and (not equals or name.strip() not in (URL, API_KEY)):
            raise InputError(f"{file} holds a line that is none of {URL}=... and {API_KEY}=...", "leave it out")
        given[name.strip()] = value.strip()
    return given
