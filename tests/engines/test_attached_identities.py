"""An index that exists is told from what it was before it was made anew or written to, and from its like elsewhere."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.engines.laid import WAYS
from tests.engines.qdrant_stub import running_stub
from truerecall import shelf
from truerecall.model.engine import Place
from truerecall.testing.subject import X

FILES = ("duckdb", "lancedb", "milvus", "qdrant_edge", "sqlite_vec")
IDS = range(300)


def identity(engine: str, name: str, folder: Path) -> str:
    index = shelf.engines.get(engine).attach(name, "l2", place=Place(folder))
    try:
        return str(index.identity)
    finally:
        index.close()


def taken_away(place: Path) -> None:
    for left in place.parent.glob(f"{place.name}*"):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()


@pytest.mark.parametrize("engine", FILES)
def test_files_that_were_made_anew_are_another_index(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shelf.engines.get(engine).version() is None:
        pytest.skip(f"{engine} is not installed")
    place, told = tmp_path / "theirs", []
    for rows in (X[:300], X[300:600]):
        taken_away(place)
        name = WAYS[engine](place, monkeypatch, IDS, rows)
        assert name is not None
        told.append([identity(engine, name, tmp_path / "place") for _ in range(2)])
    (before, still), (after, _) = told
    assert before == still
    assert before != after


def test_a_database_that_was_written_to_is_another_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written may still lie in the log beside it."""
    from truerecall.engines._sqlite_vec_table import opened

    name = WAYS["sqlite_vec"](tmp_path / "theirs", monkeypatch, IDS, X[:300])
    assert name is not None
    writer = opened(tmp_path / "theirs")
    writer.execute("PRAGMA journal_mode = wal").fetchall()
    before = identity("sqlite_vec", name, tmp_path)
    assert before == identity("sqlite_vec", name, tmp_path)
    writer.execute("INSERT INTO theirs(key, n, v) VALUES (?, ?, ?)", (1000, 700, X[700].tobytes()))
    assert before != identity("sqlite_vec", name, tmp_path)
    writer.close()


def test_a_collection_of_qdrant_that_was_made_anew_is_another_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("QDRANT_GRPC_PORT", raising=False)
    with running_stub() as stub:
        monkeypatch.setenv("QDRANT_URL", stub.url.replace("//", "//user:s3cret@"))
        told = []
        for rows in (X[:300], X[300:600]):
            stub.add("theirs", IDS, rows.tolist(), vectors={"size": X.shape[1], "distance": "Euclid"})
            told.append([identity("qdrant", "theirs", tmp_path) for _ in range(2)])
    (before, still), (after, _) = told
    assert before == still
    assert before != after
    assert "s3cret" not in before
