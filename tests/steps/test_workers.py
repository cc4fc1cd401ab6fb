"""Each build in a process of its own: the same measurement as in this one, whatever happens to the process."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from tests.interrupts import heard
from tests.steps.planted import planted as planted
from tests.steps.test_run import CORPUS, PLAN, QUERIES, Q, X, planned, sweep
from truerecall.errors import EngineFailed, InputError, MissingExtra, TruerecallError, UnknownName
from truerecall.model.mode import Mode
from truerecall.model.permuted import PermutedSource
from truerecall.model.plan import Plan
from truerecall.model.progress import Silent
from truerecall.model.run import Run
from truerecall.model.selected import SelectedSource
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, Fingerprint
from truerecall.steps.handing import Handing
from truerecall.steps.run import run
from truerecall.store.artefact import artefacts_in
from truerecall.store.readers._types import bfloat16
from truerecall.store.vectors import open_corpus

ROOT = Path(__file__).parents[2]
PRINTS: dict[str, Any] = {
    name: Fingerprint(name, 0, 16, "float32", "row") for name in ("corpus_fingerprint", "query_fingerprint")
}
TWO = planned(varied={"efSearch": (4, 8)})


def children() -> list[int]:
    """The workers of this process; what else it has started is no matter of these tests."""
    return [child.pid for child in psutil.Process().children() if _is_worker(child)]


def _is_worker(child: psutil.Process) -> bool:
    try:
        return child.status() != psutil.STATUS_ZOMBIE and any("truerecall.steps.worker" in a for a in child.cmdline())
    except psutil.NoSuchProcess:
        return False


def apart(out: Path, plan: Plan = TWO, **more: Any) -> list[Run]:
    return sweep(out, plan, isolation="process", **more)


def test_apart_and_here_the_same_is_measured(tmp_path: Path) -> None:
    modes = (Mode(), Mode("batch", 8), Mode("clients", 2))
    plan = planned(varied={"efSearch": (4, 8)}, modes=modes, builds=2)
    here, there = sweep(tmp_path / "here", plan), apart(tmp_path / "there", plan)
    key = [(r.setup.build.id, r.setup.mode, r.setup.asked["efSearch"]) for r in here]
    assert key == [(r.setup.build.id, r.setup.mode, r.setup.asked["efSearch"]) for r in there]
    for one, other in zip(here, there, strict=True):
        assert one.neighbors.same(other.neighbors)
        assert one.cost == other.cost
        assert (one.setup.in_force, one.setup.state) == (other.setup.in_force, other.setup.state)
        facts = [own.environment for own in (one, other)]
        assert [own["isolation"] for own in facts] == ["none", "process"]
        assert facts[0]["client"] != facts[1]["client"]
        assert facts[0]["libraries"] == facts[1]["libraries"]
        threads = {pool["threads"] for pool in facts[1]["thread_pools"]}
        assert threads == {1}
    assert not children()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "there"]


def test_a_worker_opens_files_again_and_maps_arrays(tmp_path: Path) -> None:
    np.save(tmp_path / "base.npy", X)
    rows = np.arange(0, len(X), 2)
    handing = Handing(tmp_path / "part")
    file = open_corpus(tmp_path / "base.npy").source
    array = ArraySource(X, "held")
    asked = {
        "file": file,
        "array": array,
        "half": SelectedSource(array, rows, "half"),
        "turned": PermutedSource(SelectedSource(file, rows, "half"), np.arange(300)[::-1]),
        "brain": ArraySource(X.astype(bfloat16())),
        "bits": ArraySource(np.packbits(X > 0, axis=1), "bits", 16),
    }
    message = handing.pickled(asked)
    assert len(message) < 12_000  # of which the numbers of rows are most
    assert len(list((tmp_path / "part").iterdir())) == 3  # the array that two share is written once
    arrived = pickle.loads(message)
    for name, source in asked.items():
        twin = arrived[name]
        assert (twin.name, twin.rows, twin.dimensions, twin.dtype, twin.bits) == (
            source.name, source.rows, source.dimensions, source.dtype, source.bits,
        )  # fmt: skip
        every = np.arange(source.rows)
        assert (twin.take(every) == source.take(every)).all(), name
    del arrived
    handing.clear()
    assert not (tmp_path / "part").exists()


def test_what_has_no_life_outside_this_process_is_refused(tmp_path: Path) -> None:
    class Live(ArraySource):
        pass

    with pytest.raises(InputError, match=r"no life outside this process.*isolation='none'"):
        apart(tmp_path / "runs", corpus=Corpus(Live(X)))
    assert len(sweep(tmp_path / "here", TWO, Corpus(Live(X)))) == 2


def test_only_workers_are_counted(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE):
        assert not children()
        runs = run(PLAN, CORPUS, QUERIES, tmp_path / "runs", **PRINTS)
        next(runs)
        assert len(children()) == 1
        runs.close()  # type: ignore[attr-defined]


def test_a_source_that_only_the_program_knows_is_refused(tmp_path: Path) -> None:
    script = """
import sys
from tests.steps.test_workers import *
class Mine(ArraySource): pass
Mine.__module__ = "__main__"
try: apart(Path(sys.argv[1]), corpus=Corpus(Mine(X)))
except InputError as error: print(error)
"""
    ended = _python(script, str(tmp_path / "runs"))
    assert "no life outside this process" in ended.stdout, ended.stderr


def _python(script: str, *arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], env=_env(), capture_output=True, text=True, check=True, **more
    )


def _env(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]), **more}


@pytest.mark.parametrize(
    ("what", "kind", "said"),
    [
        ("failed", EngineFailed, "it broke; mend it"),
        ("extra", MissingExtra, "usearch is not installed; run: pip install 'truerecall[bench]'"),
        ("name", UnknownName, "unknown setting efSerch; did you mean efSearch?"),
    ],
)
def test_errors_of_ours_come_back_as_themselves(
    what: str, kind: type[TruerecallError], said: str, tmp_path: Path, planted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTED", f"build {what}")
    with pytest.raises(kind) as caught:
        apart(tmp_path / "runs", planned(engine="planted"))
    assert str(caught.value) == said
    assert not children()


@pytest.mark.parametrize(("what", "kind"), [("bug", ZeroDivisionError), ("odd", RuntimeError)])
def test_other_errors_come_with_the_place_where_they_were_raised(
    what: str, kind: type[Exception], tmp_path: Path, planted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTED", f"build {what}")
    with pytest.raises(kind) as caught:
        apart(tmp_path / "runs", planned(engine="planted"))
    assert "planted_engine.py" in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    ("what", "how"),
    [("SIGSEGV", "was ended by SIGSEGV"), ("SIGKILL", "was ended by SIGKILL"), ("exit", "ended with status 3")],
)
def test_a_worker_that_dies_takes_nothing_with_it(
    what: str, how: str, tmp_path: Path, planted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, out = planned(engine="planted", repeats=2), tmp_path / "runs"
    monkeypatch.setenv("PLANTED", f"efSearch=8 {what}")
    with pytest.raises(EngineFailed, match=f"worker process of planted {how} while its index was searched") as caught:
        apart(out, plan)
    assert "what was measured before is kept" in caught.value.remedy
    assert ("where memory ran out" in caught.value.remedy) is (what == "SIGKILL")
    assert not children()
    before = {path.name: path.read_bytes() for path in artefacts_in(out, "run")}
    monkeypatch.delenv("PLANTED")
    runs = apart(out, plan)
    assert len(runs) == 8
    assert len({r.setup.build.id for r in runs}) == 1
    assert all((out / name).read_bytes() == content for name, content in before.items())


def test_what_an_engine_prints_is_no_answer(
    tmp_path: Path, planted: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLANTED", "build print")
    assert len(apart(tmp_path / "runs", planned(engine="planted"))) == 4
    shown = capfd.readouterr()
    assert shown.out == ""
    assert "native words" in shown.err
    assert "more of them" in shown.err


def test_no_more_indexes_are_in_memory_than_may_be(tmp_path: Path) -> None:
    plan = planned(varied={"factory": ("HNSW4", "HNSW8", "HNSW16")}, fixed={}, repeats=2, resident=1)
    seen, most = [], 0
    words: list[str] = []

    class Listening(Silent):
        def now(self, said: str, left_s: float | None) -> None:
            words.append(said.split(" ")[0])

    for one in run(plan, CORPUS, QUERIES, tmp_path / "runs", **PRINTS, progress=Listening()):
        seen.append(one.setup.build.id)
        most = max(most, len(children()))
    assert most == 1
    assert len(seen) == 6
    assert len(set(seen)) == 3
    assert words.count("build") == 3
    assert words.count("load") >= 2
    assert not children()


def test_progress_comes_back_between_calls(tmp_path: Path) -> None:
    told: list[int] = []

    class Counting(Silent):
        def advance(self, amount: int) -> None:
            told.append(amount)

    apart(tmp_path / "runs", progress=Counting())
    assert sum(told) == 2 * len(Q)
    assert len(told) > 20


def test_an_interruption_here_ends_the_worker_too(tmp_path: Path) -> None:
    class Interrupting(Silent):
        def advance(self, amount: int) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apart(tmp_path / "runs", progress=Interrupting())
    assert not children()
    assert len(apart(tmp_path / "runs")) == 2


def test_a_run_that_is_given_up_ends_its_workers(tmp_path: Path) -> None:
    runs = run(PLAN, CORPUS, QUERIES, tmp_path / "runs", **PRINTS)
    next(runs)
    assert children()
    runs.close()  # type: ignore[attr-defined]
    assert not children()


BUSY = """
import sys
from tests.steps.test_workers import *
apart(Path(sys.argv[1]), planned(engine="planted"))
"""


def _busy_worker(tmp_path: Path, planted: Path) -> tuple[subprocess.Popen[str], int]:
    """A program with a worker that builds for two minutes, and the number of that worker."""
    noted = tmp_path / "pid"
    env = _env(PLANTED="build sleep", PLANTED_PID=str(noted))
    env["PYTHONPATH"] += os.pathsep + str(planted)
    program = subprocess.Popen(
        [sys.executable, "-c", BUSY, str(tmp_path / "runs")],
        env=env,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heard,
    )
    deadline = time.monotonic() + 60
    while not (noted.exists() and noted.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return program, int(noted.read_text())


def _gone(pid: int, within_s: float) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


def test_a_worker_ends_with_a_program_that_was_killed(tmp_path: Path, planted: Path) -> None:
    program, worker = _busy_worker(tmp_path, planted)
    with program:
        program.kill()
    assert _gone(worker, within_s=10)


def test_ctrl_c_in_the_terminal_ends_both_and_only_one_says_so(tmp_path: Path, planted: Path) -> None:
    program, worker = _busy_worker(tmp_path, planted)
    with program:
        os.killpg(program.pid, signal.SIGINT)
        _, said = program.communicate(timeout=20)
    assert program.returncode == -signal.SIGINT
    assert _gone(worker, within_s=10)
    assert said.count("Traceback") == 1  # that of the program, which catches nothing here
