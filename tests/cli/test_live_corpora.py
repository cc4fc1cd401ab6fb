"""Corpora from where the vectors live, through whole commands: truth, second opinion, and runs over an index there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Verb
from tests.engines.laid import way_to_lay_out
from tests.engines.qdrant_stub import running_stub
from tests.postgres import Server
from truerecall.cli.main import main
from truerecall.store.runs import load_run
from truerecall.store.truths import load_truth

ENGINES = ("lancedb", "milvus", "pgvector", "qdrant", "qdrant_edge")
X = np.random.default_rng(3).normal(size=(600, 16)).astype(np.float32)
Q = np.random.default_rng(4).normal(size=(12, 16)).astype(np.float32)
ONCE = ("--repeats", "1", "--warmup", "0", "--json")
IDS = [2**53 + 1 + 2 * own for own in range(len(X))]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    monkeypatch.chdir(tmp_path)
    np.save("queries.npy", Q)
    name = str(request.param)
    if name == "pgvector":
        request.getfixturevalue("database")
    if name != "qdrant":
        yield name
        return
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_stub() as stub:
        monkeypatch.setenv("QDRANT_URL", stub.url)
        yield name


@pytest.fixture
def address(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the engine calls an index over X."""
    lay_out = way_to_lay_out(engine, tmp_path, monkeypatch)
    assert lay_out is not None
    name = lay_out(IDS, X, "l2")
    assert name is not None
    return name


@pytest.fixture
def sides(engine: str, address: str) -> tuple[str, ...]:
    return ("--corpus", f"{engine}:{address}", "--queries", "queries.npy", "--distance", "l2", "-k", "5")


def findings(point: Any) -> set[str]:
    return {finding["code"] for finding in point["findings"]}


def test_a_run_over_the_vectors_and_the_index_of_one_place(
    engine: str, address: str, sides: tuple[str, ...], verb: Verb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGOPTIONS", "-c enable_seqscan=off -c enable_sort=off")  # so few rows PostgreSQL would scan
    before = sorted(path.name for path in tmp_path.iterdir())
    said = verb("run", "--engine", engine, "--attach", address, *sides, *ONCE, "--out", "runs")
    (point,) = json.loads(said)["points"]
    (run,) = (load_run(path) for path in Path("runs").iterdir() if path.name.startswith(engine))
    truth = load_truth(Path("runs/truth.parquet"))
    nearest = np.argsort(np.linalg.norm(X - Q[0], axis=1))[:5]
    assert truth.neighbors.of(0)[0].tolist() == [IDS[row] for row in nearest.tolist()]
    assert set(run.neighbors.ids.tolist()) <= set(IDS)
    hits = sum(len(set(run.neighbors.of(i)[0]) & set(truth.neighbors.of(i)[0])) for i in range(len(Q)))
    assert point["scores"][0]["mean"] == pytest.approx(hits / (5 * len(Q)))
    assert hits / (5 * len(Q)) > 0.5
    assert ("moving-corpus" in findings(point)) == (engine == "qdrant")
    assert not findings(point) & {"strange-ids", "other-rows"}
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "runs"])


def test_an_index_that_exists_is_measured_behind_a_filter(
    engine: str, address: str, sides: tuple[str, ...], verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGOPTIONS", "-c enable_seqscan=off -c enable_sort=off")
    narrow = ("--filter", "n >= 300 AND NOT n IN (400, 401)")
    said = verb("run", "--engine", engine, "--attach", address, *sides, *narrow, *ONCE, "--out", "runs")
    shown = [point["scores"][0]["mean"] for point in json.loads(said)["points"]]
    kept = np.array([row for row in range(300, len(X)) if row not in (400, 401)])
    recalls = []
    for run in (load_run(path) for path in Path("runs").iterdir() if path.name.startswith(engine)):
        rows = np.arange(len(X)) if run.setup.where is None else kept
        hits = 0
        for query in range(len(Q)):
            found = {IDS.index(own) for own in run.neighbors.of(query)[0].tolist()}
            assert found <= set(rows.tolist())
            hits += len(found & set(rows[np.argsort(np.linalg.norm(X[rows] - Q[query], axis=1))[:5]].tolist()))
        recalls.append(hits / (5 * len(Q)))
    assert sorted(shown) == pytest.approx(sorted(recalls))
    assert len(recalls) == 2
    assert min(recalls) > 0.5


def test_an_index_is_built_from_where_the_vectors_live(sides: tuple[str, ...], verb: Verb, tmp_path: Path) -> None:
    said = verb("run", "--engine", "numpy-flat", *sides, *ONCE, "--builds", "2", "--out", "runs")
    assert [point["scores"][0]["mean"] for point in json.loads(said)["points"]] == [1.0, 1.0]
    assert not (tmp_path / "runs.part").exists()


def test_the_exhaustive_search_of_an_engine_agrees_with_the_truth_of_its_vectors(
    engine: str, address: str, sides: tuple[str, ...], verb: Verb
) -> None:
    verb("truth", "build", sides[1], *sides[2:], "--out", "t.parquet")
    ask = ("truth", "verify", "t.parquet", *sides[:4], "--ask", f"{engine}:{address}")
    if engine == "milvus":
        assert "milvus cannot search exhaustively on demand" in verb(*ask, status=2)
        return
    said = " ".join(verb(*ask, "--sample", "7").split())
    assert "7 found the same rows" in said
    assert load_truth(Path("t.parquet")).state == "proved"
    opinion = json.loads(verb(*ask, "--json"))["engine"]
    assert (opinion["asked"], opinion["same"], opinion["apart"]) == (len(Q), len(Q), 0)


def test_an_index_of_other_dimensions_is_refused_before_anything_is_read(engine: str, address: str, verb: Verb) -> None:
    np.save("base.npy", X[:, :8])
    np.save("ids.npy", np.array(IDS))
    np.save("queries.npy", Q[:, :8])
    files = ("--corpus", "base.npy", "--ids", "ids.npy", "--queries", "queries.npy")
    asked = ("--distance", "l2", "-k", "5")
    words = f"{address} holds vectors of 16 dimensions and base.npy of 8"
    said = verb("run", "--engine", engine, "--attach", address, *files, *asked, "--out", "runs", status=2)
    assert words in " ".join(said.split())
    assert not Path("runs").exists()
    verb("truth", "build", "base.npy", *files[2:], *asked, "--out", "t.parquet")
    if engine != "milvus":
        said = verb("truth", "verify", "t.parquet", *files, "--ask", f"{engine}:{address}", status=2)
        assert words in " ".join(said.split())
    said = verb("truth", "build", f"{engine}:{address}", *files[4:], *asked, "--out", "u.parquet", status=2)
    assert "has 8 dimensions" in said


def test_a_corpus_that_is_another_table_than_the_index(
    engine: str,
    sides: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lay_out = way_to_lay_out(engine, tmp_path, monkeypatch)
    other = lay_out([7 * own for own in range(400)], X[:400], "l2") if lay_out else ""
    files = sides
    if engine == "milvus":  # one file at a time can be named
        np.save("base.npy", X)
        np.save("ids.npy", np.array(IDS))
        files = ("--corpus", "base.npy", "--ids", "ids.npy", *sides[2:])
    command = ("run", "--engine", engine, "--attach", str(other), *files, *ONCE, "--out", "runs")
    assert main(list(command)) == 3
    (point,) = json.loads(capsys.readouterr().out)["points"]
    assert {"strange-ids", "other-rows"} <= findings(point)
    assert point["scores"] == []
    (run,) = (load_run(path) for path in Path("runs").iterdir() if path.name.startswith(engine))
    assert run.unknown == len(run.neighbors.ids)


WRONG = {
    "lancedb": {"{folder}/none.lance": "is no table of LanceDB", "{address}&vector=w": "has no column of vectors 'w'"},
    "milvus": {"none": "Milvus has no collection none", "theirs?vector=w": "has 0 fields of float vectors"},
    "pgvector": {"none?id=key&vector=v": "there is no table none", "{table}?id=key&vector=w": "column of {table} w"},
    "qdrant": {"none": "Qdrant has no collection none", "{address}?vector=w": "has no vector 'w'"},
    "qdrant_edge": {"{folder}/none": "is no shard of Qdrant", "{address}?vector=w": "has no vector 'w'"},
}


def test_what_is_not_there_is_refused_in_one_line(engine: str, address: str, verb: Verb, tmp_path: Path) -> None:
    table = address.partition("?")[0]
    for name, words in WRONG[engine].items():
        own = name.format(folder=tmp_path, address=address.replace("vector=v", ""), table=table).replace("&&", "&")
        asked = ("--queries", "queries.npy", "--distance", "l2", "-k", "5")
        said = verb("truth", "build", f"{engine}:{own}", *asked, "--out", "t.parquet", status=2)
        assert words.format(table=table) in " ".join(said.split())
        attach = ("run", "--engine", engine, "--attach", own, "--corpus", f"{engine}:{address}")
        said = verb(*attach, *asked, "--out", "runs", status=2)
        assert words.format(table=table) in " ".join(said.split())
        assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("corpus", "dsn", "words"),
    [
        ("pgvector:t?id=id&vector=v", "postgresql://u:s3cret@127.0.0.1:1/d", "PostgreSQL"),
        ("qdrant:t", "QDRANT_URL=http://127.0.0.1:1\nQDRANT_API_KEY=s3cret", "Qdrant cannot be reached"),
        ("milvus:t", "http://u:s3cret@127.0.0.1:1", "Milvus cannot be reached at http://127.0.0.1:1"),
    ],
)
def test_a_server_that_is_not_there_is_told_without_the_password(
    corpus: str, dsn: str, words: str, verb: Verb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("truerecall.engines._milvus_client.CONNECT_TIMEOUT_S", 1)
    np.save("queries.npy", Q)
    Path("dsn").write_text(dsn)
    for command in (
        ("truth", "build", corpus, "--out", "t.parquet"),
        ("run", "--engine", "numpy-flat", "--corpus", corpus, "--out", "runs"),
    ):
        asked = ("--queries", "queries.npy", "--distance", "l2", "-k", "5", "--dsn-file", "dsn")
        said = verb(*command, *asked, status=3)
        assert words in " ".join(said.split())
        assert "s3cret" not in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dsn", "queries.npy"]


def test_credentials_that_are_wrong_are_refused_and_not_shown(
    postgres_server: Server, verb: Verb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("queries.npy", Q)
    Path("dsn").write_text(f"postgresql://nobody:s3cret@127.0.0.1:{postgres_server.port}/postgres")
    asked = ("--queries", "queries.npy", "--distance", "l2", "-k", "5", "--dsn-file", "dsn")
    said = verb("truth", "build", "pgvector:t?id=id&vector=v", *asked, "--out", "t.parquet", status=3)
    assert "password authentication failed" in " ".join(said.split())
    assert "s3cret" not in said


def test_a_file_of_milvus_in_the_working_folder_stays_there(
    verb: Verb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("queries.npy", Q)
    lay_out = way_to_lay_out("milvus", tmp_path, monkeypatch)
    assert lay_out is not None
    lay_out(IDS, X, "l2")
    (file,) = tmp_path.glob("theirs-*.db")
    file.rename("milvus.db")
    held = {path: path.read_bytes() for path in Path("milvus.db").rglob("*") if path.is_file()}
    monkeypatch.setenv("MILVUS_URI", "milvus.db")
    asked = ("--queries", "queries.npy", "--distance", "l2", "-k", "5")
    verb("truth", "build", "milvus:theirs", *asked, "--out", "t.parquet")
    assert load_truth(Path("t.parquet")).corpus.rows == len(X)
    assert held == {path: path.read_bytes() for path in Path("milvus.db").rglob("*") if path.is_file()}
