"""How a Qdrant server is reached, and its failures as ours.

``QDRANT_URL``, ``QDRANT_GRPC_PORT`` and ``QDRANT_API_KEY`` come from the environment, or from a file with a line
``NAME=VALUE`` for each. Where a port is named all is asked over gRPC, and nothing over REST.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from truerecall.engines._library import imported
from truerecall.errors import EngineFailed, InputError, TruerecallError
from truerecall.model.engine import Place
from truerecall.store.attributes.files import text_lines

qdrant = imported("qdrant_client", package="qdrant-client", extra="qdrant")
URL, GRPC_PORT, API_KEY = "QDRANT_URL", "QDRANT_GRPC_PORT", "QDRANT_API_KEY"
NAMES = (URL, GRPC_PORT, API_KEY)
TIMEOUT_S = 60
LARGEST_PORT = 65535
UNREACHED = (None, "UNAVAILABLE", "DEADLINE_EXCEEDED")
REFUSED = (401, 403, "UNAUTHENTICATED", "PERMISSION_DENIED")
REACHING = f"set {URL} and, where it has them, {GRPC_PORT} and {API_KEY}, or give --dsn-file"


def connected(place: Place) -> Any:
    """A client of a server. Raises InputError where nothing says which, and for the client's local mode."""
    given = os.environ if place.dsn_file is None else _given_in(place.dsn_file)
    if not given.get(URL):
        raise InputError(f"{URL} is not set", REACHING)
    over_grpc = {"prefer_grpc": True, "grpc_port": _port(given[GRPC_PORT])} if given.get(GRPC_PORT) else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of keys over http, which is the user's choice
        try:
            client = qdrant.QdrantClient(
                location=given[URL],
                api_key=given.get(API_KEY),
                timeout=TIMEOUT_S,
                check_compatibility=False,
                **over_grpc,
            )
        except ValueError:  # its message holds the address, which may hold a password
            raise InputError(f"{URL} holds no address of a server", "write http://HOST:PORT") from None
    refuse_local(client)
    return client


def _port(told: str) -> int:
    if not (told.isascii() and told.isdigit() and 0 < int(told) <= LARGEST_PORT):
        raise InputError(f"{GRPC_PORT} holds no port", f"write a whole number up to {LARGEST_PORT}; often it is 6334")
    return int(told)


def server_in_words(client: Any) -> str:
    """Which server answers, and how it is asked; where it is might be a secret."""
    with asking(client):
        return f"Qdrant {client.info().version} over {'gRPC' if client.init_options['prefer_grpc'] else 'REST'}"


def address_of(client: Any) -> str:
    """Host and port, without a name or a password that stand before them. It is not to be shown."""
    return urlsplit(str(client.init_options["location"])).netloc.rpartition("@")[2]


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
    status, words = _over_grpc(error) if hasattr(error, "code") else _over_rest(error)
    if status in UNREACHED:
        return f"Qdrant cannot be reached: {words}", REACHING
    if status in REFUSED:
        return f"Qdrant refuses: {status} {words}", f"have the right granted, or set {API_KEY}"
    return f"Qdrant refuses: {status} {words}", "put that right; nothing else was changed"


def _over_grpc(error: Any) -> tuple[str, str]:
    """What is said of a server that does not answer holds its address, and is left out."""
    status: str = error.code().name
    return status, status if status in UNREACHED else error.details()


def _over_rest(error: Any) -> tuple[int | None, str]:
    status = getattr(error, "status_code", None)
    if status is None:
        return None, str(error)
    try:
        return status, error.structured()["status"]["error"]
    except (ValueError, KeyError, TypeError, AttributeError):
        return status, getattr(error, "reason_phrase", "")


def _given_in(file: Path) -> Mapping[str, str]:
    """The names and values in a file. Its text is never shown, for it may be a key."""
    given = {}
    for line in text_lines(file):
        name, equals, value = line.partition("=")
        if line.strip() and (not equals or name.strip() not in NAMES):
            raise InputError(f"{file} holds a line that is none of {'=..., '.join(NAMES)}=...", "leave it out")
        given[name.strip()] = value.strip()
    return given
