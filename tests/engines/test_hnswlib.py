"""hnswlib and its traps: all of k neighbours or an error, unit vectors under cosine, headers that nobody checks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.test_contract import NOWHERE, Q, X, answers
from truerecall.cli.main import main
from truerecall.engines.hnswlib import engine
from truerecall.errors import EngineFailed
from truerecall.model.arrays import Vectors
from truerecall.model.source import ArraySource
from truerecall.store.runs import load_run


def built(rows: Vectors = X, distance: str = "l2", *, seed: int = 0, threads: int = 1, **settings: Any) -> Any:
    return engine.build(ArraySource(rows), distance, settings, seed=seed, threads=threads, place=NOWHERE)


def test_rows_out_of_reach_fail_a_query_and_leave_the_next_alone() -> None:
    # Five hundred times the same row: links among copies lead nowhere else.
    copies = np.concatenate([np.zeros((500, X.shape[1]), np.float32), X[:10]])
    index = built(copies, M=4, ef_construction=10)
    prepared = index.prepare(Q)
    with pytest.raises(EngineFailed, match=r"found fewer than 510 neighbours and gave none.*raise M"):
        index.search(prepared[:1], 510)
    with pytest.raises(EngineFailed):
        index.search_batch(prepared, 510)
    assert len(index.search(prepared[:1], 10)) == 10


def test_a_failed_query_is_counted_and_the_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    far = np.full((300, X.shape[1]), 5, np.float32)
    np.save(tmp_path / "base.npy", np.concatenate([X[:600], far]))
    np.save(tmp_path / "queries.npy", np.concatenate([Q[:12], far[:1] + Q[12:] / 100]))
    flags = ["--engine", "hnswlib", "--set", "M=3", "--set", "ef_construction=10", "--distance", "l2", "-k", "100"]
    files = ["--corpus", str(tmp_path / "base.npy"), "--queries", str(tmp_path / "queries.npy")]
    assert main(["run", *flags, *files, "--out", str(tmp_path / "runs"), "--warmup", "0"]) == 0
    assert "12 of 24 queries" in capsys.readouterr().out
    for path in (tmp_path / "runs").glob("hnswlib-*.parquet"):
        failures = load_run(path).failures
        assert sorted(failures == "") == [False] * 12 + [True] * 12
        assert all("EngineFailed: hnswlib found fewer than 100" in text for text in failures if text)


def test_a_search_keeps_at_least_k_candidates() -> None:
    index = built()
    index.configure({"ef": 2})
    assert {len(found) for found in answers(index, k=100)} == {100}
    assert not any(setting.limits_answers for setting in engine.search_settings({}, distance="l2", dimensions=4))


def test_unit_length_under_cosine_is_declared() -> None:
    index = built(20 * X, "cosine")
    assert index.state().transform == "normalised"
    assert np.allclose(np.linalg.norm(index.index.get_items([7])[0]), 1)
    assert built((20 * X).astype(np.float64), "cosine").state().transform == "cast from float64 to float32, normalised"
    assert built(20 * X, "ip").state().transform == "none"


def test_the_seed_decides_on_one_thread(tmp_path: Path) -> None:
    contents = []
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        built(seed=seed).save(tmp_path / name)
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1] != contents[2]


def test_build_settings_reach_the_graph() -> None:
    index = built(M=5, ef_construction=30).index
    assert (index.M, index.ef_construction) == (5, 30)
    index = built().index
    assert (index.M, index.ef_construction) == (16, 200)


def test_a_file_that_could_not_be_written_whole_is_told() -> None:
    with pytest.raises(EngineFailed, match="wrote 0 of"):
        built().save(Path("/dev/full"))
