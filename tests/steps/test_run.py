"""The run step: what it measures, what it refuses beforehand, and how it goes on after it was cut short."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerecall import shelf
from truerecall.engines.faiss import engine as faiss_engine
from truerecall.errors import EngineFailed, InputError, UnknownName
from truerecall.model.arrays import texts
from truerecall.model.plan import EnginePlan, Plan
from truerecall.model.progress import SILENT, Progress, Silent
from truerecall.model.run import Run
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, Fingerprint, QuerySet
from truerecall.steps.rounds import query_order
from truerecall.steps.run import run
from truerecall.store.artefact import artefacts_in
from truerecall.store.runs import load_run

DIMENSIONS = 16
X = np.random.default_rng(1).normal(size=(600, DIMENSIONS)).astype(np.float32)
Q = np.random.default_rng(2).normal(size=(30, DIMENSIONS)).astype(np.float32)
NAMES = texts([f"row {i}" for i in range(len(X))])
CORPUS = Corpus(ArraySource(X), NAMES)
QUERIES = QuerySet(Q)
ENGINE = EnginePlan("faiss", {"factory": "HNSW8"}, {"efSearch": (4, 8, 16, 32)})
PLAN = Plan((ENGINE,), "l2", 5, warmup_calls=40, repeats=1)


def planned(**changes: Any) -> Plan:
    """PLAN with changes to the plan or to its engine."""
    own = {name: changes.pop(name) for name in ("engine", "fixed", "varied") if name in changes}
    return replace(PLAN, engines=(replace(ENGINE, **own),), **changes)


def sweep(
    out: Path,
    plan: Plan = PLAN,
    corpus: Corpus = CORPUS,
    queries: QuerySet = QUERIES,
    progress: Progress = SILENT,
    **more: Any,
) -> list[Run]:
    """The runs in the order of the grid, measured in this process."""
    x, q = (Fingerprint(digest, 0, DIMENSIONS, "float32", "row") for digest in ("c0", "d0"))
    prints: dict[str, Any] = {"corpus_fingerprint": x, "query_fingerprint": q, "isolation": "none", **more}
    runs = list(run(plan, corpus, queries, out, **prints, progress=progress))
    return sorted(runs, key=lambda one: (str(one.setup.build.settings), *one.setup.asked.values()))


def test_every_point_once_in_order_on_one_build(tmp_path: Path) -> None:
    runs = sweep(tmp_path / "runs")
    assert [r.setup.asked for r in runs] == [{"efSearch": ef} for ef in (4, 8, 16, 32)]
    assert [r.setup.in_force["efSearch"] for r in runs] == [4, 8, 16, 32]
    assert len({r.setup.build.id for r in runs}) == 1
    files = artefacts_in(tmp_path / "runs", "run")
    assert sorted(load_run(f).setup.asked["efSearch"] for f in files) == [4, 8, 16, 32]
    assert files[0].name.startswith("faiss-HNSW8-efSearch16-build0-pass0.")
    assert not (tmp_path / "runs.part").exists()
    costs = [r.cost["distance_computations"] for r in runs]
    assert costs == sorted(costs)
    assert 0 < costs[0] < costs[-1] < len(X) * len(Q)


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine"])
def test_a_flat_run_is_the_brute_force_answer_with_true_distances(tmp_path: Path, distance: str) -> None:
    rows = X * np.random.default_rng(3).uniform(0.1, 9, size=(len(X), 1)).astype(np.float32)
    plan = planned(distance=distance, fixed={"factory": "Flat"}, varied={}, warmup_calls=0)
    (only,) = sweep(tmp_path / "runs", plan, Corpus(ArraySource(rows), NAMES))
    x, q = rows.astype(np.float64), Q.astype(np.float64)
    true = {
        "l2": np.sqrt(((q[:, None] - x[None]) ** 2).sum(2)),
        "ip": -q @ x.T,
        "cosine": 1 - (q @ x.T) / np.outer(np.linalg.norm(q, axis=1), np.linalg.norm(x, axis=1)),
    }[distance]
    order = np.argsort(true, axis=1)[:, :5]
    for i in range(len(Q)):
        ids, distances = only.neighbors.of(i)
        assert ids.tolist() == [f"row {row}" for row in order[i]]
        np.testing.assert_allclose(distances, true[i, order[i]], rtol=1e-12, atol=1e-15)
    assert only.setup.build.state.exact_by_design
    assert only.setup.asked == {}


def test_what_a_run_holds(tmp_path: Path) -> None:
    first = sweep(tmp_path / "runs")[0]
    assert first.query_ids.tolist() == list(range(len(Q)))
    assert (first.latency_s > 0).all()
    assert first.setup.warmup_calls == 40
    assert (first.setup.build.seconds or 0) > 0
    assert {pool["threads"] for pool in first.environment["thread_pools"]} == {1}
    assert first.environment["when"].startswith("20")
    assert set(first.environment["before"]) == set(first.environment["during"])
    assert not first.failed.any()


def test_several_builds_each_have_their_own(tmp_path: Path) -> None:
    plan = planned(fixed={}, varied={"factory": ("HNSW8", "HNSW16"), "efSearch": (4, 8, 4)})
    runs = sweep(tmp_path / "runs", plan)
    assert [(r.setup.build.settings["factory"], r.setup.asked["efSearch"]) for r in runs] == [
        ("HNSW16", 4), ("HNSW16", 8), ("HNSW8", 4), ("HNSW8", 8),
    ]  # fmt: skip
    assert len({r.setup.build.id for r in runs}) == 2


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"k": 601}, InputError, "k is 601 and array holds 600 rows"),
        ({"k": 0}, InputError, "k is 0"),
        ({"threads": 0}, InputError, "threads is 0"),
        ({"varied": {"efSerch": (4,)}}, UnknownName, "did you mean efSearch"),
        ({"fixed": {"factry": "HNSW8"}}, UnknownName, "unknown setting factry; did you mean factory"),
        ({"fixed": {"factory": "HNSW8", "efConstuction": 9}}, UnknownName, "did you mean efConstruction"),
        ({"fixed": {}}, InputError, "factory is not set"),
        ({"varied": {"efSearch": (4, 0)}}, InputError, "efSearch is 0"),
        ({"fixed": {"factory": "IVF4,Flat"}, "varied": {"nprobe": (1, 5)}}, InputError, "from 1 to 4"),
        ({"varied": {"factory": ("HNSW8", "PQ7")}, "fixed": {}}, InputError, "multiple of the number"),
        ({"varied": {"efSearch": (2**31,)}}, InputError, "from 1 to 2147483647"),
        ({"fixed": {"factory": "HNSW8", "EFsearch": 4}}, InputError, "EFsearch is set and varied too"),
        ({"distance": "l1"}, InputError, "faiss has no l1"),
        ({"engine": "faise"}, UnknownName, "did you mean faiss"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], error: type[Exception], words: str
) -> None:
    monkeypatch.setattr(type(faiss_engine), "build", lambda *_, **__: pytest.fail("it was built"))
    with pytest.raises(error, match=words):
        sweep(tmp_path / "runs", planned(**change))
    assert not any(tmp_path.iterdir())


def test_queries_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="queries has 8 dimensions and array has 16"):
        sweep(tmp_path / "runs", queries=QuerySet(Q[:, :8]))
    with pytest.raises(InputError, match="holds no query"):
        sweep(tmp_path / "runs", queries=QuerySet(Q[:0]))


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    with pytest.raises(InputError, match="is a file; name a folder"):
        sweep(tmp_path / "runs")


class Stumbling:
    """The engine itself, but each index that it gives goes through ``change``; it counts builds and loads."""

    def __init__(self, change: Callable[[Any], None] = lambda index: None) -> None:
        self.change = change
        self.built = 0
        self.loaded = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(faiss_engine, name)

    def build(self, *args: Any, **kwargs: Any) -> Any:
        self.built += 1
        index = faiss_engine.build(*args, **kwargs)
        self.change(index)
        return index

    def load(self, *args: Any, **kwargs: Any) -> Any:
        self.loaded += 1
        index = faiss_engine.load(*args, **kwargs)
        self.change(index)
        return index


@pytest.fixture
def stumbling(monkeypatch: pytest.MonkeyPatch) -> Stumbling:
    engine = Stumbling()
    monkeypatch.setattr(shelf.engines, "get", lambda _: engine)
    return engine


def test_a_failing_call_is_recorded_and_the_rest_go_on(tmp_path: Path, stumbling: Stumbling) -> None:
    def change(index: Any) -> None:
        search, target = index.search, index.prepare(Q[7:8])

        def stumble(query: Any, k: int) -> Any:
            if (query == target).all():
                raise RuntimeError("no\nroute")
            return search(query, k)

        index.search = stumble

    stumbling.change = change
    first = sweep(tmp_path / "runs")[0]
    assert first.failed.tolist() == [i == 7 for i in range(len(Q))]
    assert first.failures[7] == "RuntimeError: no route"
    assert first.neighbors.lengths[7] == 0
    assert (np.delete(first.neighbors.lengths, 7) == 5).all()
    assert load_run(artefacts_in(tmp_path / "runs", "run")[0]).failures[7] == "RuntimeError: no route"


def test_calls_are_one_by_one_after_the_warm_up_without_garbage_collection(
    tmp_path: Path, stumbling: Stumbling
) -> None:
    calls: list[tuple[int, bool]] = []

    def change(index: Any) -> None:
        search, prepared = index.search, index.prepare(Q)

        def watch(query: Any, k: int) -> Any:
            assert query.shape == (1, DIMENSIONS)
            calls.append((int(np.flatnonzero((prepared == query).all(1))[0]), gc.isenabled()))
            return search(query, k)

        index.search = watch

    stumbling.change = change
    sweep(tmp_path / "runs", planned(varied={}))
    places = query_order(len(Q), 0, 0).tolist()
    assert places != sorted(places)
    assert [place for place, _ in calls] == (places[::-1] + places[::-1])[:40] + places
    assert [collects for _, collects in calls] == [True] * 40 + [False] * len(Q)
    assert gc.isenabled()


def test_a_row_that_the_corpus_does_not_have_stops_the_run(tmp_path: Path, stumbling: Stumbling) -> None:
    stumbling.change = lambda index: setattr(index, "search", lambda query, k: np.array([600]))
    with pytest.raises(EngineFailed, match="returned row 600 and array has 600"):
        sweep(tmp_path / "runs")


class StopAt(Silent):
    """Interrupts when the n-th point begins."""

    def __init__(self, point: int) -> None:
        self.left = point

    def now(self, words: str, left_s: float | None) -> None:
        self.left -= words.startswith("measure")
        if self.left < 0:
            raise KeyboardInterrupt


def stamps(runs: list[Run]) -> list[str]:
    return [r.environment["when"] for r in runs]


def test_an_interrupted_sweep_goes_on_with_the_saved_index(tmp_path: Path, stumbling: Stumbling) -> None:
    out = tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        sweep(out, progress=StopAt(2))
    before = [load_run(f) for f in artefacts_in(out, "run")]
    assert len(before) == 2
    runs = sweep(out)
    assert (stumbling.built, stumbling.loaded) == (1, 1)
    assert len({r.setup.build.id for r in runs}) == 1
    assert runs[0].setup.build == runs[3].setup.build
    assert set(stamps(before)) < set(stamps(runs))
    assert [r.setup.asked["efSearch"] for r in runs] == [4, 8, 16, 32]
    assert not (tmp_path / "runs.part").exists()
    assert stamps(sweep(out)) == stamps(runs)
    assert (stumbling.built, stumbling.loaded) == (1, 1)


def test_rows_in_another_order_are_not_answered_by_the_index_of_the_old_order(
    tmp_path: Path, stumbling: Stumbling
) -> None:
    out = tmp_path / "runs"
    plan = planned(fixed={"factory": "Flat"}, varied={})
    with pytest.raises(KeyboardInterrupt):
        sweep(out, plan, progress=StopAt(0))
    shuffled = np.random.default_rng(5).permutation(len(X))
    moved = Corpus(ArraySource(X[shuffled]), texts(NAMES[shuffled].tolist()))
    (run_,) = sweep(out, plan, moved)  # the fingerprint does not know of the order, since there are ids
    nearest = np.argsort(((Q[:, None].astype(np.float64) - X[None]) ** 2).sum(2), axis=1)[:, :5]
    assert [ids.tolist() for ids, _ in map(run_.neighbors.of, range(len(Q)))] == NAMES[nearest].tolist()
    assert stumbling.built == 2


def test_another_warm_up_is_another_measurement(tmp_path: Path) -> None:
    first = sweep(tmp_path / "runs")
    again = sweep(tmp_path / "runs", planned(warmup_calls=0))
    assert {r.setup.warmup_calls for r in again} == {0}
    assert not set(stamps(first)) & set(stamps(again))
    assert stamps(sweep(tmp_path / "runs")) == stamps(first)


@pytest.mark.parametrize("same", [True, False])
def test_when_the_saved_index_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stumbling: Stumbling, same: bool
) -> None:
    out = tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        sweep(out, progress=StopAt(2))
    before = [load_run(f) for f in artefacts_in(out, "run")]
    for path in (tmp_path / "runs.part").iterdir():
        path.unlink()
    if not same:
        real = faiss_engine.build
        monkeypatch.setattr(type(faiss_engine), "build", lambda _, *args, **more: real(*args, **{**more, "seed": 9}))
        with pytest.raises(KeyboardInterrupt):
            sweep(out, progress=StopAt(1))
        assert len(artefacts_in(out, "run")) == 1
    runs = sweep(out)
    assert len({r.setup.build.id for r in runs}) == 1
    assert len(artefacts_in(out, "run")) == len(runs) == 4
    assert all(r.setup.build == runs[0].setup.build for r in runs)
    assert (runs[0].setup.build.id == before[0].setup.build.id) is same
    assert (set(stamps(before)) < set(stamps(runs))) is same


def test_an_index_that_was_cut_short_or_changed_is_not_used(tmp_path: Path, stumbling: Stumbling) -> None:
    out = tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        sweep(out, progress=StopAt(1))
    (saved,) = (tmp_path / "runs.part").glob("*.index")
    saved.write_bytes(saved.read_bytes()[:-9])
    assert len(sweep(out)) == 4
    assert (stumbling.built, stumbling.loaded) == (2, 0)


def test_a_damaged_point_is_measured_again(tmp_path: Path) -> None:
    first = sweep(tmp_path / "runs")
    path = artefacts_in(tmp_path / "runs", "run")[0]
    spoilt = path.read_bytes()[:-50]
    path.write_bytes(spoilt)
    said: list[str] = []

    class Listening(Silent):
        def say(self, line: str) -> None:
            said.append(line)

    again = sweep(tmp_path / "runs", progress=Listening())
    assert len(said) == 1
    assert said[0].endswith(f"kept as {path.name}.damaged and measured again")
    assert path.with_name(f"{path.name}.damaged").read_bytes() == spoilt
    assert len(set(stamps(first)) & set(stamps(again))) == 3


SCRIPT = """
import sys
from pathlib import Path
from tests.steps.test_run import Silent, sweep
class Slow(Silent):
    def now(self, words, left_s):
        import time
        if (Path(sys.argv[1]).exists() and any(Path(sys.argv[1]).glob("*.parquet"))): time.sleep(60)
sweep(Path(sys.argv[1]), progress=Slow())
"""


def test_a_killed_process_leaves_a_sweep_that_goes_on(tmp_path: Path, stumbling: Stumbling) -> None:
    out = tmp_path / "runs"
    root = Path(__file__).parents[2]
    path = os.pathsep.join([str(root), str(root / "src")])
    child = subprocess.Popen([sys.executable, "-c", SCRIPT, str(out)], env={**os.environ, "PYTHONPATH": path})
    deadline = time.monotonic() + 60
    while not list(out.glob("*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait()
    (survivor,) = artefacts_in(out, "run")
    before = load_run(survivor)
    runs = sweep(out)
    assert (stumbling.built, stumbling.loaded) == (0, 1)
    assert {r.setup.build.id for r in runs} == {before.setup.build.id}
    assert [r.setup.asked["efSearch"] for r in runs] == [4, 8, 16, 32]
    assert before.environment["when"] in stamps(runs)
