"""What a server keeps of an index that was saved goes with ``discard``, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.engines.brute import X
from tests.engines.qdrant_stub import running_stub
from tests.engines.test_milvus import running
from tests.postgres import Server
from truerecall import shelf
from truerecall.engines._milvus_client import Address, connected
from truerecall.errors import EngineFailed
from truerecall.model.engine import Place
from truerecall.model.source import ArraySource

Kept = Callable[[], set[str]]
NOWHERE = {
    "pgvector": ("PGPORT", "1"),
    "milvus": ("MILVUS_URI", "http://127.0.0.1:1"),
    "qdrant": ("QDRANT_URL", "http://127.0.0.1:1"),
}


@pytest.fixture(params=["pgvector", "milvus", "qdrant"])
def kept(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Kept]]:
    """The name of an engine whose server is there, and what lies in that server."""
    if shelf.engines.get(request.param).version() is None:
        pytest.skip(f"needs {request.param}")
    with ExitStack() as stack:
        if request.param == "pgvector":
            server: Server = request.getfixturevalue("postgres_server")
            database = request.getfixturevalue("database")

            def schemas() -> set[str]:
                with server.connect(database) as connection:
                    return {name for (name,) in connection.execute("SELECT nspname FROM pg_namespace")}

            yield "pgvector", schemas
        elif request.param == "milvus":
            uri, _ = stack.enter_context(running(tmp_path / "server"))
            monkeypatch.setenv("MILVUS_URI", uri)
            yield "milvus", lambda: set(connected(Address(uri)).list_collections())
        else:
            stub = stack.enter_context(running_stub())
            monkeypatch.setenv("NO_PROXY", "127.0.0.1")
            monkeypatch.setenv("QDRANT_URL", stub.url)
            yield "qdrant", lambda: set(stub.collections)


def test_what_belongs_to_an_index_goes_and_nothing_else(
    kept: tuple[str, Kept], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, lying = kept
    engine = shelf.engines.get(name)
    places = [Place(tmp_path / f"{number}.place") for number in range(2)]
    before = lying()
    for number, place in enumerate(places):
        index = engine.build(ArraySource(X[:200]), "l2", {}, seed=0, threads=1, place=place)
        index.save(tmp_path / f"{number}")
        index.close()
    both = lying()
    assert len(both - before) == 2
    engine.discard(tmp_path / "0", place=places[0])
    left = lying()
    assert before < left < both
    engine.discard(tmp_path / "0", place=places[0])
    assert lying() == left, "what is gone already is nothing to do"
    index = engine.load(tmp_path / "1", ArraySource(X[:200]), "l2", {}, threads=1, place=places[1])
    assert len(index.search(index.prepare(X[:1]), 10)) == 10
    index.close()
    engine.discard(tmp_path / "1", place=places[1])
    assert lying() == before
    with monkeypatch.context() as patch:
        patch.setenv(*NOWHERE[name])
        patch.setattr("truerecall.engines._milvus_client.CONNECT_TIMEOUT_S", 1)
        with pytest.raises(EngineFailed):
            engine.discard(tmp_path / "1", place=places[1])
