"""``check`` on stored runs: what is said, what is not asked, and the exit status."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Verb
from truerecall.cli.main import main
from truerecall.model.arrays import texts
from truerecall.model.check import CannotTell
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding
from truerecall.shelf import checks
from truerecall.steps.look_again import look_again
from truerecall.store.artefact import artefacts_in
from truerecall.store.measured import load_runs
from truerecall.store.runs import load_run, save_run
from truerecall.store.truths import load_truth, save_truth
from truerecall.store.vectors import open_corpus, open_queries

ROWS, QUERIES, K = 400, 25, 5
Lend = Callable[[str, Any], None]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with vectors, and runs over them that were made by ``run``."""
    folder = tmp_path_factory.mktemp("measured")
    random = np.random.default_rng(1)
    basis = random.normal(size=(3, 8))
    np.save(folder / "base.npy", (random.normal(size=(ROWS, 3)) @ basis).astype(np.float32))
    np.save(folder / "queries.npy", (random.normal(size=(QUERIES, 3)) @ basis).astype(np.float32))
    flags = [
        "--engine",
        "faiss",
        "--set",
        "factory=HNSW8",
        "--vary",
        "efSearch=8,40",
        "--warmup",
        "3",
        "--distance",
        "l2",
    ]
    vectors = ["--corpus", str(folder / "base.npy"), "--queries", str(folder / "queries.npy")]
    assert main(["run", *flags, *vectors, "-k", str(K), "--out", str(folder / "runs"), "--json"]) == 0
    return folder


@pytest.fixture
def site(measured: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may spoil."""
    return Path(shutil.copytree(measured, tmp_path / "site"))


@pytest.fixture
def lend() -> Iterator[Lend]:
    """Puts a check on the shelf for as long as a test lasts."""
    with ExitStack() as stack:
        yield lambda name, check: stack.enter_context(checks.lend(name, check))


def vectors(site: Path, **others: str) -> list[str | Path]:
    names = {"corpus": "base.npy", "queries": "queries.npy", **others}
    return [part for flag, name in names.items() for part in (f"--{flag}", site / name)]


def outcomes(document: dict[str, Any]) -> dict[str, str]:
    return {check["code"]: check["outcome"] for check in document["checks"]}


def spoil(site: Path, **changes: Any) -> None:
    """Every run is changed the same way."""
    for path in artefacts_in(site / "runs", "run"):
        save_run(replace(load_run(path), **changes), path)


def test_the_answer_the_findings_and_every_check(site: Path, verb: Verb) -> None:
    shown = verb("check", site / "runs")
    assert shown.startswith("Can this be believed? ")
    assert " on 2 points of 1 curve (6 runs): " in shown
    for name in checks.names():
        assert name.replace("_", "-") in shown
    document = json.loads(verb("check", site / "runs", "--json"))
    assert (document["runs"], document["points"], document["curves"]) == (6, 2, ["faiss HNSW8"])
    assert document["counts"] == {
        what.replace(" ", "_"): list(outcomes(document).values()).count(what)
        for what in ("fired", "passed", "cannot tell", "not asked")
    }
    asked = [check for check in document["checks"] if check["outcome"] != "not asked"]
    assert all(check["passed"] + check["fired"] + check["cannot_tell"] == 2 for check in asked)
    assert all(check["title"] for check in document["checks"])


def test_what_was_said_of_the_vectors_and_tried_with_them_is_kept_beside_the_runs(site: Path, verb: Verb) -> None:
    told = outcomes(json.loads(verb("check", site / "runs", "--json")))
    assert told["duplicate-rows"] == told["better-explained"] == "passed"
    assert told["unknown-ids"] == "not asked"
    reported = json.loads(verb("report", site / "runs", "--json"))
    assert "duplicate-rows" in {check["code"] for check in reported["points"][0]["checks"]}
    (kept,) = artefacts_in(site / "runs", "inspection")
    kept.unlink()
    spoil(site, trials=None)
    without = json.loads(verb("check", site / "runs", "--json"))
    silent = {check["code"]: check["reasons"] for check in without["checks"] if check["outcome"] == "not asked"}
    assert silent["duplicate-rows"] == silent["better-explained"] == ["give --corpus and --queries"]
    again = outcomes(json.loads(verb("check", site / "runs", "--json", *vectors(site))))
    assert again["duplicate-rows"] == again["better-explained"] == "passed"
    assert not artefacts_in(site / "runs", "inspection")  # nothing is written


def test_a_run_over_the_same_vectors_does_not_look_at_them_again(site: Path, verb: Verb) -> None:
    (kept,) = artefacts_in(site / "runs", "inspection")
    before = kept.stat().st_mtime_ns
    flags = ["--engine", "faiss", "--set", "factory=Flat", "--warmup", "3", "--distance", "l2", "-k", K]
    verb("run", *map(str, flags), *vectors(site), "--out", site / "runs")
    assert [path.stat().st_mtime_ns for path in artefacts_in(site / "runs", "inspection")] == [before]


def test_a_finding_that_withholds_a_number_is_status_3_and_is_shown_all_the_same(
    site: Path, verb: Verb, capsys: pytest.CaptureFixture[str]
) -> None:
    failures = texts(["ConnectionError: refused"] * QUERIES)
    spoil(site, failures=failures)
    assert "2 of 2 points are no measurement; see the findings above" in verb("check", site / "runs", status=3)
    assert main(["check", str(site / "runs"), "--json"]) == 3
    document = json.loads(capsys.readouterr().out)
    assert (document["answer"], document["verdict"]) == ("No", "invalid")
    heaviest = document["findings"][0]
    assert (heaviest["code"], heaviest["severity"]) == ("failed-queries", "invalid")
    assert heaviest["seen"][0]["places"] == ["every point"]


def test_findings_stand_by_weight(site: Path, verb: Verb, lend: Lend) -> None:
    class Objects:
        title = "planted"

        def __init__(self, severity: Any, where: int) -> None:
            self.severity, self.where = severity, where

        def examine(self, run: Any) -> Finding | None:
            if run.setup.asked["efSearch"] < self.where:
                return None
            return Finding(f"planted-{self.severity}-{self.where}", self.severity, "seen", "mend", {"n": 1})

    planted = [("note", 8), ("warning", 40), ("warning", 8)]
    for severity, where in planted:
        lend(f"planted_{severity}_{where}", Objects(severity, where))
    document = json.loads(verb("check", site / "runs", "--json"))
    weights = [(found["severity"], found["code"]) for found in document["findings"]]
    own = [code for _, code in weights if code.startswith("planted")]
    assert own == ["planted-warning-8", "planted-warning-40", "planted-note-8"]
    assert [severity for severity, _ in weights] == sorted((s for s, _ in weights), reverse=True)
    assert (document["answer"], document["verdict"]) == ("With care", "suspect")


def test_nothing_checked_is_no_pass(site: Path, verb: Verb, lend: Lend) -> None:
    class Silent:
        title = "says nothing"

        def examine(self, run: Any) -> CannotTell:
            return CannotTell("nobody knows")

    for name in checks.names():
        lend(name, Silent())
    for path in artefacts_in(site / "runs", "inspection"):
        path.unlink()
    assert "nothing was checked, and that is not a pass" in verb("check", site / "runs", status=3)


def test_what_is_said_of_a_curve_is_told_at_each_of_its_points(site: Path, verb: Verb, lend: Lend) -> None:
    class OfACurve:
        title = "a planted look at a curve"

        def examine(self, curve: Curve) -> Finding:
            return Finding("planted", "invalid", f"{len(curve.points)} points", "mend", {"n": 2})

    lend("planted", OfACurve())
    assert "2 of 2 points are no measurement" in verb("check", site / "runs", status=3)


def test_a_truth_that_does_not_hold_is_seen_with_the_vectors(site: Path, verb: Verb) -> None:
    path = site / "runs" / "truth.parquet"
    truth = load_truth(path)
    neighbors = truth.neighbors
    save_truth(replace(truth, neighbors=replace(neighbors, ids=(neighbors.ids + 7) % ROWS)), path)
    runs = load_runs([site / "runs"])
    assert all(run.trials is None or run.trials.truth_sample is None for run in runs)
    corpus, queries = open_corpus(site / "base.npy"), open_queries(site / "queries.npy")
    looked, _ = look_again(runs, load_truth(path), corpus, queries)
    samples = [run.trials.truth_sample for run in looked if run.trials is not None]
    assert [(own.checked, own.agreed) for own in samples if own is not None] == [(20, 0)] * 2


@pytest.mark.parametrize(
    ("flags", "status", "words"),
    [
        (["--corpus", "base.npy"], 2, "one of --corpus and --queries is given; give both, or neither"),
        (["--ids", "base.npy"], 2, "ids are given without the vectors"),
        (["--corpus", "queries.npy", "--queries", "queries.npy"], 3, "give the vectors that were measured"),
        (["--truth", "missing.parquet"], 2, "missing.parquet does not exist"),
        (["--relevant-from", "1"], 2, "--relevant-from is given without labels"),
        (["--memory", "plenty"], 2, "plenty"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_line(
    flags: list[str], status: int, words: str, site: Path, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site)
    said = verb("check", "runs", *flags, status=status)
    assert words in said


def test_a_folder_without_runs_and_runs_without_a_truth(site: Path, verb: Verb, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "holds no Run file" in verb("check", tmp_path / "empty", status=2)
    (site / "runs" / "truth.parquet").unlink()
    assert "no truth that fits the runs lies beside them; name it with --truth" in verb(
        "check", site / "runs", status=2
    )
