"""A whole plan: engines, builds, modes and repeats in rounds, killed at any moment, and all of it once in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from tests.steps.test_run import CORPUS, QUERIES, Q, X, planned, sweep
from truerecall.errors import InputError
from truerecall.model.arrays import texts
from truerecall.model.mode import Mode
from truerecall.model.plan import EnginePlan, Plan
from truerecall.model.progress import Silent
from truerecall.model.run import Run
from truerecall.model.source import ArraySource
from truerecall.model.trials import Trials, TruthSample
from truerecall.model.vectors import Corpus, Fingerprint, QuerySet
from truerecall.steps.rounds import query_order
from truerecall.steps.run import run
from truerecall.store.artefact import artefacts_in
from truerecall.store.runs import load_run

PRINTS: dict[str, Any] = {
    name: Fingerprint(name, 0, 16, "float32", "row") for name in ("corpus_fingerprint", "query_fingerprint")
}
THREE = Plan(
    (
        EnginePlan("faiss", {"factory": "HNSW8"}, {"efSearch": (4, 6, 8, 12, 16)}),
        EnginePlan("hnswlib", {"M": 8}, {"ef": (5, 6, 8, 12, 16)}),
        EnginePlan("usearch", {}, {"expansion_search": (5, 6, 8, 12, 16)}),
    ),
    "l2",
    5,
    warmup_calls=5,
    repeats=3,
    builds=2,
    resident=3,
)


def in_order(out: Path, plan: Plan, **more: Any) -> list[Run]:
    """The runs as they come, measured in this process."""
    known: dict[str, Any] = {**PRINTS, "isolation": "none", **more}
    return list(run(plan, CORPUS, QUERIES, out, **known))


def place(one: Run) -> tuple[Any, ...]:
    setup = one.setup
    return (setup.built, setup.build.number, tuple(setup.asked.items()), str(setup.mode), setup.repeat)


def curve(one: Run) -> tuple[str, int]:
    return one.setup.built, one.setup.build.number


def test_rounds_over_everything_and_the_same_seed_the_same_order(tmp_path: Path) -> None:
    own = [replace(engine, varied={k: v[:2] for k, v in engine.varied.items()}) for engine in THREE.engines[:2]]
    plan = replace(THREE, engines=tuple(own))
    runs = in_order(tmp_path / "a", plan)
    assert [one.setup.repeat for one in runs] == [0] * 8 + [1] * 8 + [2] * 8
    assert len(set(map(place, runs))) == len(runs) == 24
    assert all(curve(one) == curve(other) for one, other in zip(runs[::2], runs[1::2], strict=True))
    assert [place(one) for one in in_order(tmp_path / "a", plan)] == [place(one) for one in runs]
    again = in_order(tmp_path / "b", plan)
    assert [place(one) for one in again] == [place(one) for one in runs]
    assert all((one.call == other.call).all() for one, other in zip(again, runs, strict=True))
    assert all(one.neighbors.same(other.neighbors) for one, other in zip(again, runs, strict=True))
    other = in_order(tmp_path / "c", replace(plan, seed=1))
    assert [place(one) for one in other] != [place(one) for one in runs]
    assert not (other[0].call == runs[0].call).all()


def test_each_round_asks_the_queries_in_an_order_of_its_own(tmp_path: Path) -> None:
    runs = in_order(tmp_path / "runs", planned(repeats=2))
    for one in runs:
        assert np.argsort(one.call).tolist() == query_order(len(Q), 0, one.setup.repeat).tolist()
        assert one.query_ids.tolist() == list(range(len(Q)))
    assert {tuple(one.call.tolist()) for one in runs} == {
        tuple(np.argsort(query_order(len(Q), 0, r))) for r in range(2)
    }


def test_builds_differ_in_seed_and_order_and_speak_of_the_same_rows(tmp_path: Path) -> None:
    plan = planned(fixed={"factory": "HNSW8"}, varied={"efSearch": (4, 600)}, builds=3, repeats=1)
    runs = in_order(tmp_path / "runs", plan)
    builds = {one.setup.build.number: one.setup.build for one in runs}
    assert sorted(builds) == [0, 1, 2]
    assert len({build.id for build in builds.values()}) == len({build.seed for build in builds.values()}) == 3
    assert builds[0].seed == plan.seed
    thorough = [one for one in runs if one.setup.asked["efSearch"] == 600]
    assert len(thorough) == 3
    nearest = np.argsort(((Q[:, None].astype(np.float64) - X[None]) ** 2).sum(2), axis=1)[:, :5]
    for one in thorough:  # as good as exact: the right rows, by the names that they have in the corpus
        names = [[f"row {row}" for row in rows] for rows in nearest]
        assert [ids.tolist() for ids, _ in map(one.neighbors.of, range(len(Q)))] == names
    careless = [one for one in runs if one.setup.asked["efSearch"] == 4]
    assert not careless[0].neighbors.same(careless[1].neighbors)


def test_one_build_is_the_same_whether_it_is_alone_or_the_first_of_several(tmp_path: Path) -> None:
    out = tmp_path / "runs"
    (alone,) = in_order(out, planned(varied={}, repeats=1))
    several = in_order(out, planned(varied={}, repeats=1, builds=2))
    assert [one.environment["when"] for one in several if one.setup.build.number == 0] == [alone.environment["when"]]


def test_more_repeats_later_go_on_with_the_same_build(tmp_path: Path) -> None:
    out = tmp_path / "runs"
    before = {place(one): one.environment["when"] for one in in_order(out, planned(repeats=1))}
    runs = in_order(out, planned(repeats=3))
    assert len(runs) == 12
    assert len({one.setup.build.id for one in runs}) == 1
    assert len({one.setup.build.seconds for one in runs}) == 1
    assert all(one.environment["when"] == before[place(one)] for one in runs if one.setup.repeat == 0)


def test_two_at_once_into_one_folder_are_refused_and_the_first_loses_nothing(tmp_path: Path) -> None:
    first = run(planned(), CORPUS, QUERIES, tmp_path / "runs", **PRINTS, isolation="none")
    runs = [next(first)]
    with pytest.raises(InputError, match="another measurement is at work in "):
        in_order(tmp_path / "runs", planned())
    runs += first
    assert len(runs) == len(in_order(tmp_path / "runs", planned())) == len(artefacts_in(tmp_path / "runs", "run"))
    assert not (tmp_path / "runs.part").exists()


def test_the_same_point_in_two_plans_is_measured_once(tmp_path: Path) -> None:
    own = EnginePlan("faiss", {"factory": "HNSW8"}, {"efSearch": (4, 8)})
    overlapping = EnginePlan("faiss", {"factory": "HNSW8"}, {"efSearch": (8, 16)})
    runs = in_order(tmp_path / "runs", planned(engine="faiss", modes=(Mode(), Mode())))
    assert len(runs) == 4
    both = Plan((own, overlapping), "l2", 5, warmup_calls=0, repeats=1)
    assert sorted(one.setup.asked["efSearch"] for one in in_order(tmp_path / "both", both)) == [4, 8, 16]


def test_recall_is_the_same_in_every_mode_of_a_real_engine(tmp_path: Path) -> None:
    modes = (Mode(), Mode("batch", 7), Mode("clients", 1), Mode("clients", 2), Mode("clients", 5))
    runs = in_order(tmp_path / "runs", planned(varied={"efSearch": (8,)}, modes=modes, repeats=1, warmup_calls=20))
    assert {str(one.setup.mode) for one in runs} == {str(mode) for mode in modes}
    assert all(one.neighbors.same(runs[0].neighbors) for one in runs)
    assert len({one.cost["distance_computations"] for one in runs}) == 1
    assert {str(one.setup.mode): one.setup.warmup_calls for one in runs} == {
        "one-by-one": 20, "batch:7": 3, "clients:1": 20, "clients:2": 20, "clients:5": 20,
    }  # fmt: skip
    batch = next(one for one in runs if one.setup.mode.kind == "batch")
    assert len(set(batch.call.tolist())) == 5  # thirty queries, seven at a time
    assert all(one.wall_s > 0 and one.harness_s > 0 for one in runs)


def test_what_a_setting_means_is_noted(tmp_path: Path) -> None:
    (first, *_) = in_order(tmp_path / "runs", planned(repeats=1))
    assert first.setup.effort == ("efSearch",)
    assert first.setup.state.kind == "IndexHNSWFlat"
    flat = planned(fixed={"factory": "Flat"}, varied={}, repeats=1)
    (only,) = in_order(tmp_path / "flat", flat)
    assert (only.cost, only.by_formula) == ({"vectors_scanned": len(X) * len(Q)}, ("vectors_scanned",))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"repeats": 0}, "repeats is 0"),
        ({"builds": 0}, "builds is 0"),
        ({"resident": 0}, "resident is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"modes": ()}, "the plan has no mode"),
    ],
)
def test_numbers_that_cannot_be(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        in_order(tmp_path / "runs", planned(**change))
    assert not any(tmp_path.iterdir())


def test_what_was_tried_is_kept_with_the_run(tmp_path: Path) -> None:
    tried: list[Trials | None] = []

    def examine(one: Run) -> Trials | None:
        tried.append(one.trials)
        assert len(one.neighbors) == len(Q)
        return one.trials or Trials("t0", None, TruthSample(3, 3))

    plan = planned(repeats=1)
    runs = in_order(tmp_path / "runs", plan, examine=examine)
    assert {one.trials for one in runs} == {Trials("t0", None, TruthSample(3, 3))}
    files = artefacts_in(tmp_path / "runs", "run")
    written = [path.stat().st_mtime_ns for path in files]
    assert {load_run(path).trials for path in files} == {runs[0].trials}
    in_order(tmp_path / "runs", plan, examine=examine)
    assert tried == [None] * 4 + [runs[0].trials] * 4
    assert [path.stat().st_mtime_ns for path in files] == written
    assert {one.trials for one in in_order(tmp_path / "runs", plan)} == {runs[0].trials}


def test_time_left_is_told_once_it_can_be(tmp_path: Path) -> None:
    told: list[tuple[str, float | None]] = []
    started: list[tuple[str, int, str]] = []
    advanced: list[int] = []

    class Listening(Silent):
        def start(self, task: str, total: int, unit: str) -> None:
            started.append((task, total, unit))

        def advance(self, amount: int) -> None:
            advanced.append(amount)

        def now(self, words: str, left_s: float | None) -> None:
            told.append((words, left_s))

    plan = planned(repeats=2, builds=2)
    in_order(tmp_path / "runs", plan, progress=Listening())
    assert started == [("measure", 16 * len(Q), "queries")]
    assert sum(advanced) == 16 * len(Q)
    words = [said for said, _ in told]
    assert sorted(said for said in words if said.startswith("build")) == [
        "build faiss HNSW8, build 1 of 2", "build faiss HNSW8, build 2 of 2",
    ]  # fmt: skip
    assert "measure faiss HNSW8, build 2 of 2, efSearch=16, one-by-one, pass 2 of 2" in words
    assert [left for _, left in told[:2]] == [None, None]
    assert all(left is not None and left > 0 for _, left in told[2:])
    told.clear()
    advanced.clear()
    in_order(tmp_path / "runs", plan, progress=Listening())
    assert (told, sum(advanced)) == ([], 16 * len(Q))


def test_a_damaged_pass_of_one_build_leaves_the_other_builds_alone(tmp_path: Path) -> None:
    out, plan = tmp_path / "runs", planned(repeats=2, builds=2)
    before = {place(one): one.environment["when"] for one in in_order(out, plan)}
    path = next(path for path in artefacts_in(out, "run") if load_run(path).setup.build.number == 1)
    path.write_bytes(path.read_bytes()[:-40])
    runs = in_order(out, plan)
    assert sum(one.environment["when"] != before[place(one)] for one in runs) == 1
    assert len({one.setup.build.id for one in runs}) == 2


def test_queries_with_ids_keep_their_answers(tmp_path: Path) -> None:
    named = QuerySet(Q, texts([f"q{i}" for i in range(len(Q))]))
    plan = planned(fixed={"factory": "Flat"}, varied={}, repeats=1, modes=(Mode("clients", 3),))
    (one,) = list(run(plan, CORPUS, named, tmp_path / "runs", **PRINTS, isolation="none"))
    assert one.query_ids.tolist() == [f"q{i}" for i in range(len(Q))]
    nearest = ((Q[:, None].astype(np.float64) - X[None]) ** 2).sum(2).argmin(axis=1)
    assert [one.neighbors.of(i)[0][0] for i in range(len(Q))] == [f"row {row}" for row in nearest]


def test_h28_one_vector_asked_ten_times_stays_ten_calls(tmp_path: Path) -> None:
    same = QuerySet(np.repeat(Q[:1], 10, axis=0))
    (one,) = sweep(tmp_path / "runs", planned(varied={}, warmup_calls=3), queries=same)
    assert len(one.latency_s) == 10
    assert one.setup.warmup_calls == 3
    assert len({tuple(one.neighbors.of(i)[0].tolist()) for i in range(10)}) == 1


SCRIPT = """
import sys
from pathlib import Path
from tests.steps.test_whole_plans import CORPUS, PRINTS, QUERIES, THREE, run
for one in run(THREE, CORPUS, QUERIES, Path(sys.argv[1]), **PRINTS): pass
"""


def test_three_engines_two_builds_five_settings_three_repeats_killed_twice(tmp_path: Path) -> None:
    out, root = tmp_path / "runs", Path(__file__).parents[2]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "src")])}

    def files() -> list[Path]:
        return list(out.glob("*.parquet"))

    workers: list[psutil.Process] = []
    for enough in (13, 52):
        program = subprocess.Popen([sys.executable, "-c", SCRIPT, str(out)], env=env)
        deadline = time.monotonic() + 120
        while len(files()) < enough and time.monotonic() < deadline and program.poll() is None:
            time.sleep(0.005)
        workers += psutil.Process(program.pid).children()
        program.send_signal(signal.SIGKILL)
        assert program.wait() == -signal.SIGKILL
        assert enough <= len(files()) < 90
    kept = {path.name: load_run(path).environment["when"] for path in artefacts_in(out, "run")}
    subprocess.run([sys.executable, "-c", SCRIPT, str(out)], env=env, check=True)
    runs = {path.name: load_run(path) for path in artefacts_in(out, "run")}
    assert len(runs) == 90
    assert set(Counter(map(place, runs.values())).values()) == {1}
    builds: dict[tuple[str, int], set[str]] = {}
    for one in runs.values():
        builds.setdefault(curve(one), set()).add(one.setup.build.id)
    assert len(builds) == 6
    assert all(len(own) == 1 for own in builds.values())
    assert len(set.union(*builds.values())) == 6
    assert {name: runs[name].environment["when"] for name in kept} == kept
    assert not (tmp_path / "runs.part").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs"]
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


def test_a_corpus_in_memory_lies_in_the_journal_only_while_it_is_needed(tmp_path: Path) -> None:
    seen: list[list[str]] = []
    for _ in run(planned(repeats=1), Corpus(ArraySource(X)), QUERIES, tmp_path / "runs", **PRINTS):
        part = tmp_path / "runs.part"
        seen.append(sorted(path.suffix for path in part.iterdir()))
    assert seen == [["", ".index", ".json", ".raw"]] * 4
    assert not (tmp_path / "runs.part").exists()
