"""Interrupted scans: nothing is lost but the last moments, and what comes out is the same."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.interrupts import heard
from truerecall.model.arrays import texts
from truerecall.model.distance import distance_named
from truerecall.model.progress import SILENT, Progress, Silent
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.budget import within
from truerecall.scan.problem import Method, Problem
from truerecall.scan.proposing import ProposingScan
from truerecall.scan.shortlist import ShortlistScan
from truerecall.steps import exact, nearest
from truerecall.steps.truth import build_truth
from truerecall.store.scan_journal import ScanJournal
from truerecall.store.truths import load_truth, truth_artefact

# A state is kept after every block, and each block is slow enough to be killed in.
SLOW_BUILD = """
import sys, time
from truerecall.scan import budget, proposing, shortlist
from truerecall.steps import nearest
nearest.SECONDS_BETWEEN_STATES = 0.0
budget.LISTED_WORK = 2000 * 20 * 8
def slow(method):
    def slowly(*given):
        time.sleep(0.05)
        return method(*given)
    return slowly
proposing.ProposingScan._collect = slow(proposing.ProposingScan._collect)
shortlist.ShortlistScan._listed = slow(shortlist.ShortlistScan._listed)
if sys.argv.pop(1) == "proposing":
    nearest.prefers_shortlist = lambda problem: False
from truerecall.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def scan_by(problem: Problem) -> ProposingScan | ShortlistScan:
    return ShortlistScan(problem, 10) if problem.method == "shortlist" else ProposingScan(problem)


@pytest.mark.parametrize("method", ["shortlist", "float32", "int8"])
def test_a_scan_goes_on_from_its_state(method: Method, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((3000, 16)).astype(np.float32)
    corpus = Corpus(ArraySource(vectors))
    queries = QuerySet(rng.standard_normal((70, 16)).astype(np.float32))
    problem = Problem(corpus, queries, distance_named("l2"), 10, None, block_rows=200, method=method)
    with scan_by(problem) as scan:
        assert list(scan.blocks()) == list(range(200, 3001, 200))
        whole = scan.found()
    journal = ScanJournal(tmp_path / "t.parquet.part")
    with scan_by(problem) as scan:
        for rows in scan.blocks():
            if rows == 1400:
                break
        journal.keep("key", scan.state())
    state = journal.kept("key")
    assert state is not None
    assert journal.kept("other") is None
    with scan_by(problem) as scan:
        scan.restore(state)
        assert next(iter(scan.blocks())) == 1600
    with scan_by(problem) as scan:
        scan.restore(state)
        assert list(scan.blocks())[-1] == 3000
        resumed = scan.found()
    for one, other in ((whole.nearest.rows, resumed.nearest.rows), (whole.nearest.keys, resumed.nearest.keys)):
        assert (one == other).all()
    assert (whole.tied == resumed.tied).all()
    assert resumed.proved.all()
    journal.forget()
    assert not (tmp_path / "t.parquet.part").exists()


def test_a_damaged_state_is_not_taken_up(tmp_path: Path) -> None:
    journal = ScanJournal(tmp_path / "t.part")
    journal.keep("key", {"a": np.arange(1000)})
    path = next((tmp_path / "t.part").iterdir())
    path.write_bytes(path.read_bytes()[:-100])
    assert journal.kept("key") is None
    path.write_bytes(b"")
    assert journal.kept("key") is None


@pytest.mark.parametrize("scan", ["shortlist", "proposing"])
def test_killed_at_several_moments_it_goes_on_to_the_same_content(scan: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    np.save(tmp_path / "x.npy", rng.standard_normal((60_000, 8), dtype=np.float32))
    np.save(tmp_path / "q.npy", rng.standard_normal((20, 8), dtype=np.float32))

    def command(out: Path) -> list[str]:
        flags = ["--queries", tmp_path / "q.npy", "--distance", "l2", "-k", "5", "--out", out]
        return [sys.executable, "-c", SLOW_BUILD, scan, "truth", "build", *map(str, [tmp_path / "x.npy", *flags])]

    subprocess.run(command(tmp_path / "whole.parquet"), check=True, capture_output=True)
    out = tmp_path / "killed.parquet"
    reached = []
    for number, kill in enumerate((signal.SIGKILL, signal.SIGINT, signal.SIGKILL)):
        child = subprocess.Popen(
            command(out), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, preexec_fn=heard
        )
        folder = tmp_path / "killed.parquet.part"
        before = newest(folder)
        deadline = time.monotonic() + 60
        while newest(folder) == before and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.12)
        child.send_signal(kill)
        _, said = child.communicate()
        assert child.returncode == (-signal.SIGKILL if kill == signal.SIGKILL else 130)
        assert not out.exists()
        assert ("going on at row" in said) == (number > 0)
        state = np.load(next(folder.glob("scan-*.npz")))
        reached.append(int(state["next_row"]))
    assert reached == sorted(reached)
    assert 0 < reached[0] < reached[-1] < 60_000
    subprocess.run(command(out), check=True, capture_output=True)
    digests = {truth_artefact(load_truth(path)).content_digest for path in (out, tmp_path / "whole.parquet")}
    assert len(digests) == 1
    assert not (tmp_path / "killed.parquet.part").exists()


def newest(folder: Path) -> int:
    return max((path.stat().st_mtime_ns for path in folder.glob("scan-*.npz")), default=0)


class Interrupting(Silent):
    """Stops in the middle of the scan: 900 rows are read, then 900 are scanned."""

    def __init__(self) -> None:
        self.seen = 0

    def advance(self, amount: int) -> None:
        self.seen += amount
        if self.seen > 1200:
            raise KeyboardInterrupt


X = np.random.default_rng(3).standard_normal((900, 8)).astype(np.float32)
Q = np.random.default_rng(4).standard_normal((20, 8)).astype(np.float32)
NAMES, ASKED = texts([f"row {i}" for i in range(900)]), texts([f"query {i}" for i in range(20)])
NEAREST = NAMES[np.argsort(((Q[:, None].astype(np.float64) - X[None]) ** 2).sum(2), axis=1)[:, :3]]


@pytest.fixture(autouse=True)
def _a_state_after_every_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "SECONDS_BETWEEN_STATES", 0.0)


def build(corpus: Corpus, queries: QuerySet, journal: ScanJournal, progress: Progress = SILENT) -> list[list[str]]:
    truth = build_truth(corpus, queries, "l2", 3, block_rows=100, journal=journal, progress=progress)
    return [truth.neighbors.of(query)[0].tolist() for query in range(len(queries))]


@pytest.mark.parametrize("side", ["corpus", "queries"])
def test_a_state_is_not_taken_up_for_rows_or_queries_in_another_order(side: str, tmp_path: Path) -> None:
    journal = ScanJournal(tmp_path / "t.parquet.part")
    with pytest.raises(KeyboardInterrupt):
        build(Corpus(ArraySource(X), NAMES), QuerySet(Q, ASKED), journal, Interrupting())
    assert list(journal.folder.glob("scan-*"))
    rows, places = np.arange(900), np.arange(20)
    rows, places = (rows[::-1], places) if side == "corpus" else (rows, places[::-1])
    corpus = Corpus(ArraySource(X[rows]), texts(NAMES[rows].tolist()))
    queries = QuerySet(Q[places], texts(ASKED[places].tolist()))
    assert build(corpus, queries, journal) == NEAREST[places].tolist()


@pytest.mark.parametrize("group", [7, 50])
def test_a_state_is_not_taken_up_for_other_groups_of_queries(
    group: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Less memory, or more, than before: the queries are searched in other groups."""
    journal = ScanJournal(tmp_path / "t.parquet.part")
    corpus, queries = Corpus(ArraySource(X), NAMES), QuerySet(Q, ASKED)
    monkeypatch.setattr(exact, "within", lambda *given: replace(within(*given), group=10))
    with pytest.raises(KeyboardInterrupt):
        build(corpus, queries, journal, Interrupting())
    assert list(journal.folder.glob("scan-*"))
    monkeypatch.setattr(exact, "within", lambda *given: replace(within(*given), group=group))
    assert build(corpus, queries, journal) == NEAREST.tolist()


def test_a_state_of_all_queries_is_not_taken_up_for_those_that_a_shortlist_left_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which scan is the faster one is tried anew each time, and may come out otherwise."""
    x, q = X.copy(), Q.copy()
    x[300:360] = x[7]
    q[:5] = x[7]  # more ties than a shortlist holds, at more queries than a longer one is made for
    corpus, queries = Corpus(ArraySource(x), NAMES), QuerySet(q, ASKED)
    journal = ScanJournal(tmp_path / "t.parquet.part")
    monkeypatch.setattr(nearest, "prefers_shortlist", lambda problem: False)
    with pytest.raises(KeyboardInterrupt):
        build(corpus, queries, journal, Interrupting())
    assert list(journal.folder.glob("scan-*"))
    monkeypatch.setattr(nearest, "prefers_shortlist", lambda problem: True)
    lists = build(corpus, queries, journal)
    assert lists == build(corpus, queries, ScanJournal(tmp_path / "other.part"))
    assert (
        lists[5:]
        == np.array(
            [
                NAMES[np.argsort(((one - x.astype(np.float64)) ** 2).sum(1), kind="stable")[:3]]
                for one in q[5:].astype(np.float64)
            ]
        ).tolist()
    )
