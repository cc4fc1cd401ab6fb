"""A server that is killed in the middle of a run: what was measured stays, and the same command goes on from there."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.test_milvus import running
from tests.postgres import running_server
from tests.steps.test_run import planned, sweep
from truerecall.engines.milvus import engine as milvus_engine
from truerecall.errors import EngineFailed
from truerecall.model.plan import EnginePlan, Plan
from truerecall.model.progress import Silent
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.store.artefact import artefacts_in
from truerecall.store.runs import load_run

X = np.random.default_rng(1).normal(size=(1000, 16)).astype(np.float32)
Q = np.random.default_rng(2).normal(size=(60, 16)).astype(np.float32)
SIDES: dict[str, Any] = {"corpus": Corpus(ArraySource(X)), "queries": QuerySet(Q)}


class Killing(Silent):
    """Kills when so many queries were asked."""

    def __init__(self, after: int, kill: Callable[[], object]) -> None:
        self.after, self.kill = after, kill

    def advance(self, amount: int) -> None:
        before, self.after = self.after, self.after - amount
        if before > 0 >= self.after:
            self.kill()


class KillingBetween(Killing):
    """Kills when so many passes are about to begin."""

    def advance(self, amount: int) -> None:
        pass

    def now(self, words: str, left_s: float | None) -> None:
        super().advance(words.startswith("measure"))


def completed(out: Path, plan: Plan, kill: Callable[[], object], again: Callable[[], object], words: str) -> None:
    """Killed in the second of three passes: the first stays as it is, the second is set aside with its failures."""
    with pytest.raises(EngineFailed, match=words) as caught:
        sweep(out, plan, **SIDES, progress=Killing(90, kill), isolation="process")
    assert "\n" not in str(caught.value)
    assert "start again to go on" in caught.value.remedy
    [measured] = artefacts_in(out, "run")
    before = measured.read_bytes()
    assert not (load_run(measured).failures != "").any()
    [aside] = out.glob("*.broken-off")
    failures = load_run(aside).failures
    assert 20 <= (failures != "").sum() <= 30, "of sixty queries thirty were answered, or a bundle more"
    again()
    runs = sweep(out, plan, **SIDES, isolation="process")
    assert len(runs) == 3
    assert len({run.setup.build.id for run in runs}) == 1
    assert not any((run.failures != "").any() for run in runs)
    assert measured.read_bytes() == before


def test_postgresql_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_server() as server:
        for variable, value in server.environment("template1").items():
            monkeypatch.setenv(variable, value)
        monkeypatch.setenv("PGOPTIONS", "-c synchronous_commit=on")  # what was built is there after the kill
        plan = planned(engine="pgvector", fixed={"m": 8}, varied={"ef_search": (10, 20, 40)})
        completed(
            tmp_path / "runs",
            plan,
            lambda: server.stop(signal.SIGKILL),
            server.start,
            "pgvector answers no more .*Postgre",
        )


def test_milvus_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if milvus_engine.version() is None:
        pytest.skip("needs pymilvus and milvus-lite")
    with ExitStack() as stack:
        uri, process = stack.enter_context(running(tmp_path / "server"))
        monkeypatch.setenv("MILVUS_URI", uri)
        plan = planned(engine="milvus", fixed={"M": 8}, varied={"ef": (10, 20, 40)})

        def kill() -> None:
            process.kill()
            process.wait()

        def again() -> None:
            uri, _ = stack.enter_context(running(tmp_path / "server"))
            monkeypatch.setenv("MILVUS_URI", uri)

        completed(tmp_path / "runs", plan, kill, again, "milvus answers no more ")


def test_an_engine_that_fails_some_queries_and_is_there_goes_on(tmp_path: Path) -> None:
    far = np.full((300, 16), 5, np.float32)
    rows, queries = np.concatenate([X[:600], far]), np.concatenate([Q[:30], far[:1] + Q[30:] / 100])
    plan = planned(engine="hnswlib", fixed={"M": 3, "ef_construction": 10}, varied={"ef": (10, 20)}, k=100)
    runs = sweep(tmp_path / "runs", plan, Corpus(ArraySource(rows)), QuerySet(queries), isolation="process")
    assert [int((run.failures != "").sum()) for run in runs] == [30, 30]
    assert not list((tmp_path / "runs").glob("*.broken-off"))


def test_a_server_that_dies_between_passes_takes_none_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All queries of the next pass fail; what was answered before is asked again, and is not answered either."""
    if milvus_engine.version() is None:
        pytest.skip("needs pymilvus and milvus-lite")
    with running(tmp_path / "server") as (uri, process):
        monkeypatch.setenv("MILVUS_URI", uri)
        plan = planned(engine="milvus", fixed={"M": 8}, varied={"ef": (10, 20, 40)}, warmup_calls=0)
        with pytest.raises(EngineFailed, match=r"milvus answers no more .*: 60 of 60 queries of this pass failed"):
            sweep(tmp_path / "runs", plan, **SIDES, progress=KillingBetween(2, process.kill), isolation="process")
        assert len(artefacts_in(tmp_path / "runs", "run")) == 1


def test_told_to_go_on_the_other_engines_are_measured_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_server() as server:
        for variable, value in server.environment("template1").items():
            monkeypatch.setenv(variable, value)
        monkeypatch.setenv("PGOPTIONS", "-c synchronous_commit=on")
        engines = (
            EnginePlan("pgvector", {"m": 8}, {"ef_search": (10, 20)}),
            EnginePlan("numpy_flat"),
            EnginePlan("faiss", {"factory": "HNSW8"}, {"efSearch": (10, 20)}),
        )
        plan = Plan(engines, "l2", 5, warmup_calls=5, repeats=2, on_failure="go-on")
        said: list[str] = []

        class Listening(Killing):
            def say(self, words: str) -> None:
                said.append(words)

        out = tmp_path / "runs"
        killing = Listening(90, lambda: server.stop(signal.SIGKILL))
        runs = sweep(out, plan, **SIDES, progress=killing, isolation="process")
        measured = [run.setup.engine for run in runs]
        assert measured.count("numpy_flat") == 2
        assert measured.count("faiss") == 4
        assert measured.count("pgvector") < 4
        assert len(artefacts_in(out, "run")) == len(runs)
        assert any("pgvector" in words and "is left, and the others go on" in words for words in said)
        server.start()
        whole = sweep(out, plan, **SIDES, isolation="process")
        assert [run.setup.engine for run in whole].count("pgvector") == 4
        server.stop(signal.SIGKILL)
        alone = Plan(engines[:1], "l2", 5, warmup_calls=5, repeats=3, on_failure="go-on")
        with pytest.raises(EngineFailed):
            sweep(tmp_path / "others", alone, **SIDES, isolation="process")
