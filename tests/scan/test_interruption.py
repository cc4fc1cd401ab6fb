"""Interrupted scans: nothing is lost but the last moments, and what comes out is the same."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from truerecall.model.distance import distance_named
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.problem import Method, Problem
from truerecall.scan.proposing import ProposingScan
from truerecall.store.scan_journal import ScanJournal
from truerecall.store.truths import load_truth, truth_artefact

# A state is kept after every block, and each block is slow enough to be killed in.
SLOW_BUILD = """
import sys, time
from truerecall.steps import exact
from truerecall.scan import proposing
exact.SECONDS_BETWEEN_STATES = 0.0
collect = proposing.ProposingScan._collect
def slowly(self, block):
    time.sleep(0.05)
    return collect(self, block)
proposing.ProposingScan._collect = slowly
from truerecall.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("method", ["float32", "int8"])
def test_a_scan_goes_on_from_its_state(method: Method, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((3000, 16)).astype(np.float32)
    corpus = Corpus(ArraySource(vectors))
    queries = QuerySet(rng.standard_normal((70, 16)).astype(np.float32))
    problem = Problem(corpus, queries, distance_named("l2"), 10, None, block_rows=200, method=method)
    with ProposingScan(problem) as scan:
        assert list(scan.blocks()) == list(range(200, 3001, 200))
        whole = scan.found()
    journal = ScanJournal(tmp_path / "t.parquet.part")
    with ProposingScan(problem) as scan:
        for rows in scan.blocks():
            if rows == 1400:
                break
        journal.keep("key", scan.state())
    state = journal.kept("key")
    assert state is not None
    assert journal.kept("other") is None
    with ProposingScan(problem) as scan:
        scan.restore(state)
        assert next(iter(scan.blocks())) == 1600
    with ProposingScan(problem) as scan:
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


def test_killed_at_several_moments_it_goes_on_to_the_same_content(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    np.save(tmp_path / "x.npy", rng.standard_normal((60_000, 8), dtype=np.float32))
    np.save(tmp_path / "q.npy", rng.standard_normal((20, 8), dtype=np.float32))

    def command(out: Path) -> list[str]:
        flags = ["--queries", tmp_path / "q.npy", "--distance", "l2", "-k", "5", "--out", out]
        return [sys.executable, "-c", SLOW_BUILD, "truth", "build", *map(str, [tmp_path / "x.npy", *flags])]

    subprocess.run(command(tmp_path / "whole.parquet"), check=True, capture_output=True)
    out = tmp_path / "killed.parquet"
    reached = []
    for number, kill in enumerate((signal.SIGKILL, signal.SIGINT, signal.SIGKILL)):
        child = subprocess.Popen(command(out), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
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
