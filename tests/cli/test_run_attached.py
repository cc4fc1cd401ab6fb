"""An index that exists is measured as it is, and the truth may come from where its vectors live."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Verb
from tests.engines.pgvectors import Q, X, filled
from tests.engines.qdrant_stub import Stub, running_stub
from tests.postgres import Server
from truerecall.store.runs import load_run

FLAGS = ("--distance", "l2", "-k", "10", "--repeats", "1", "--warmup", "5", "--json")
TABLE = "items?id=id&vector=v"


@pytest.fixture
def owner(database: str, postgres_server: Server) -> Any:
    with postgres_server.connect(database) as connection:
        yield connection


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_stub() as stub:
        monkeypatch.setenv("QDRANT_URL", stub.url)
        yield stub


def recalls(out: str) -> list[float]:
    return [
        next(score["mean"] for score in point["scores"] if score["measure"] == "recall@10")
        for point in json.loads(out)["points"]
    ]


def test_a_table_with_its_own_vectors_as_the_corpus(owner: Any, tmp_path: Path, verb: Verb) -> None:
    ids = [2**60 + 3 * own for own in range(4000)]
    filled(owner, X, ids=ids)
    np.save(tmp_path / "queries.npy", Q)
    sides = ("--corpus", f"pgvector:{TABLE}", "--queries", tmp_path / "queries.npy", "--out", tmp_path / "runs")
    settings = ("--engine", "pgvector", "--attach", TABLE, "--vary", "ef_search=10,80")
    low, high = recalls(verb("run", *settings, *sides, *FLAGS))
    assert low < high
    assert high > 0.9
    runs = [load_run(path) for path in sorted((tmp_path / "runs").glob("pgvector-*.parquet"))]
    assert {run.setup.build.id for run in runs} == {runs[0].setup.build.id}
    setup = runs[0].setup
    assert (setup.build.settings, setup.build.seconds, setup.state.rows) == ({"attach": TABLE}, None, 4000)
    assert (setup.effort[0], setup.limiting) == ("ef_search", ("ef_search",))
    assert set(runs[0].neighbors.ids.tolist()) <= set(ids)
    assert runs[0].environment["server"].startswith("pgvector ")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "runs").glob("pgvector-*.parquet")}
    assert recalls(verb("run", *settings, *sides, *FLAGS)) == [low, high]
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "runs").glob("pgvector-*.parquet")}
    assert not (tmp_path / "runs.part").exists()


def test_ids_that_no_row_bears_are_misses_and_stay_visible(stub: Stub, tmp_path: Path, verb: Verb) -> None:
    ids = [5, *range(2**53, 2**53 + 599)]
    euclid = {"size": X.shape[1], "distance": "Euclid"}
    stub.add("theirs", ids, X[:600].tolist(), vectors=euclid, hnsw_config={"full_scan_threshold": 10})
    np.save(tmp_path / "base.npy", X[:500])  # the engine has a hundred rows more
    np.save(tmp_path / "ids.npy", np.array(ids[:500]))
    np.save(tmp_path / "queries.npy", Q)
    sides = ("--corpus", tmp_path / "base.npy", "--ids", tmp_path / "ids.npy", "--queries", tmp_path / "queries.npy")
    flags = ("--engine", "qdrant", "--attach", "theirs", "--out", tmp_path / "runs", *FLAGS)
    (recall,) = recalls(verb("run", *sides, *flags))
    (run,) = (load_run(path) for path in (tmp_path / "runs").glob("qdrant-*.parquet"))
    strange = ~np.isin(run.neighbors.ids, np.array(ids[:500]))
    assert 0 < strange.sum() < len(strange) / 2
    assert (np.isnan(run.neighbors.distances) == strange).all()
    assert recall == pytest.approx(1 - strange.mean())
    assert run.environment["server"] == "Qdrant 1.17.0-stub over REST"
    assert not any(method in ("PUT", "DELETE") for method, _, _ in stub.asked)


def test_what_a_server_kept_of_a_build_is_gone_with_the_plan(stub: Stub, tmp_path: Path, verb: Verb) -> None:
    np.save(tmp_path / "base.npy", X[:300])
    np.save(tmp_path / "queries.npy", Q)
    sides = ("--corpus", tmp_path / "base.npy", "--queries", tmp_path / "queries.npy", "--out", tmp_path / "runs")
    assert recalls(verb("run", "--engine", "qdrant", *sides, *FLAGS)) == [1.0]
    assert stub.collections == {}
    assert any(method == "DELETE" for method, _, _ in stub.asked)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--engine", "faiss", "--attach", "x"), "faiss cannot attach to an index that exists"),
        (
            ("--engine", "qdrant", "--attach", "theirs", "--builds", "2"),
            "theirs exists, and the plan asks for 2",
        ),
        (("--engine", "qdrant", "--attach", "theirs", "--set", "m=8"), "unknown setting m"),
        (("--engine", "qdrant", "--attach", "others"), "Qdrant has no collection others"),
    ],
)
def test_what_cannot_be(flags: tuple[str, ...], words: str, stub: Stub, tmp_path: Path, verb: Verb) -> None:
    stub.add("theirs", range(300), X[:300].tolist(), vectors={"size": X.shape[1], "distance": "Euclid"})
    np.save(tmp_path / "base.npy", X[:300])
    np.save(tmp_path / "queries.npy", Q)
    sides = ("--corpus", tmp_path / "base.npy", "--queries", tmp_path / "queries.npy", "--out", tmp_path / "runs")
    assert words in verb("run", *flags, *sides, *FLAGS, status=2)
    assert not (tmp_path / "runs").exists()
