"""The memory budget: kept, whatever the size of the corpus, and refused with the minimum where it cannot be."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerecall.errors import InputError
from truerecall.model.distance import distance_named
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.budget import within
from truerecall.scan.problem import Problem
from truerecall.store.truths import load_truth, truth_artefact

# VmHWM starts anew with the program; ru_maxrss would also hold what the parent had when it forked.
PEAK = "next(int(line.split()[1]) for line in open('/proc/self/status') if line.startswith('VmHWM')) * 1024"
# PyArrow imports pandas where it is installed, whether it is needed or not.
ONLY_IMPORTS = f"""
import truerecall
from contextlib import suppress
with suppress(ImportError):
    import pandas
print({PEAK})
"""
BUILDS = f"""
import sys
from truerecall.cli.main import main
status = main(sys.argv[1:])
print({PEAK}, file=sys.stderr)
sys.exit(status)
"""


def peak_of(script: str, *arguments: object) -> int:
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return int((done.stdout if not arguments else done.stderr).split()[-1])


def built(folder: Path, memory: str, name: str) -> tuple[Path, int]:
    """The truth of the vectors in ``folder`` under a budget, and what it took beyond a process that only imports."""
    out = folder / f"{name}.parquet"
    flags = ["--queries", folder / "q.npy", "--distance", "l2", "-k", 20, "--memory", memory, "--out", out]
    peak = peak_of(BUILDS, "truth", "build", folder / "x.npy", *flags)
    return out, peak - peak_of(ONLY_IMPORTS)


@pytest.mark.parametrize(("rows", "dimensions", "queries"), [(400_000, 64, 200), (20_000, 16, 4_000)])
def test_the_peak_stays_below_the_budget(tmp_path: Path, rows: int, dimensions: int, queries: int) -> None:
    rng = np.random.default_rng(0)
    np.save(tmp_path / "x.npy", rng.standard_normal((rows, dimensions), dtype=np.float32))
    np.save(tmp_path / "q.npy", rng.standard_normal((queries, dimensions), dtype=np.float32))
    digests = set()
    for memory, limit in (("190MiB", 190 << 20), ("600MiB", 600 << 20)):
        out, took = built(tmp_path, memory, memory)
        assert took < limit
        digests.add(truth_artefact(load_truth(out)).content_digest)
    assert len(digests) == 1
    assert json.loads(subprocess.check_output([sys.executable, "-m", "truerecall", "truth", "show", out, "--json"]))


def problem_of(queries: int, **how: Any) -> Problem:
    corpus = Corpus(ArraySource(np.zeros((1000, 8), np.float32)))
    return Problem(corpus, QuerySet(np.zeros((queries, 8), np.float32)), distance_named("l2"), 10, None, **how)


def test_a_budget_that_is_too_small_is_refused_with_the_minimum_which_then_does() -> None:
    with pytest.raises(InputError, match="a memory budget of 8 MiB is too small for 50 queries") as caught:
        within(problem_of(50), 8 << 20)
    least = int(caught.value.remedy.rpartition(" ")[2].removesuffix("MiB"))
    assert within(problem_of(50), least << 20).problem.block_rows >= 64
    with pytest.raises(InputError):
        within(problem_of(50), (least - 1) << 20)


def test_h32_many_queries_are_worked_on_in_groups() -> None:
    tight = within(problem_of(100_000), 300 << 20)
    assert 1 <= tight.group < 100_000
    assert within(problem_of(100_000), 64 << 30).group == 100_000


@pytest.mark.parametrize("named", [False, True])
def test_the_peak_stays_below_the_least_budget_where_the_lists_are_long(tmp_path: Path, named: bool) -> None:
    rng = np.random.default_rng(0)
    np.save(tmp_path / "x.npy", rng.standard_normal((8_000, 8), dtype=np.float32))
    np.save(tmp_path / "q.npy", rng.standard_normal((150, 8), dtype=np.float32))
    flags = ["--queries", tmp_path / "q.npy", "--distance", "l2", "-k", 6_000, "--out", tmp_path / "t.parquet"]
    if named:
        (tmp_path / "ids.txt").write_text("".join(f"{row:036d}\n" for row in range(8_000)))
        flags += ["--ids", tmp_path / "ids.txt"]
    command = ["truth", "build", tmp_path / "x.npy", *flags]
    refused = subprocess.run(
        [sys.executable, "-m", "truerecall", *map(str, command), "--memory", "1MiB"], capture_output=True, text=True
    )
    least = refused.stderr.split()[-1]
    took = peak_of(BUILDS, *command, "--memory", least) - peak_of(ONLY_IMPORTS)
    assert took < int(least.removesuffix("MiB")) << 20
