"""The reference answers as the truth does: exactly, in every geometry."""

from __future__ import annotations

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.engines.test_contract import NOWHERE, Q, X, answers
from truerecall import shelf
from truerecall.cli.main import main
from truerecall.engines.numpy_flat import engine
from truerecall.kernels.distances import order_keys
from truerecall.model.source import ArraySource


def test_equal_rows_come_in_the_order_of_their_numbers() -> None:
    rows = np.array([[2.0], [1.0], [3.0], [1.0], [0.0], [1.0]])
    index = engine.build(ArraySource(rows), "l2", {}, seed=0, threads=1, place=NOWHERE)
    assert answers(index, np.array([[0.0]]), k=3) == [[4, 1, 3]]
    assert answers(index, np.array([[0.0]]), k=6) == answers(index, np.array([[0.0]]), k=9) == [[4, 1, 3, 5, 0, 2]]


def test_digits_beyond_float32_are_seen() -> None:
    rows = 1 + 1e-12 * np.arange(50)[::-1, None]
    index = engine.build(ArraySource(rows), "l2", {}, seed=0, threads=1, place=NOWHERE)
    assert answers(index, np.array([[1.0]]), k=5) == [[49, 48, 47, 46, 45]]
    assert index.state().exact_by_design
    assert index.state().exhaustive


def test_packed_bits_and_element_types_of_others(tmp_path: Path) -> None:
    bits = np.random.default_rng(0).integers(0, 256, size=(200, 4), dtype=np.uint8)
    source = ArraySource(bits, bits=32)
    index = engine.build(source, "hamming", {}, seed=0, threads=1, place=NOWHERE)
    keys = np.unpackbits(bits ^ bits[7], axis=1).sum(axis=1)
    assert answers(index, bits[7:8]) == [np.argsort(keys, kind="stable")[:10].tolist()]
    halves = X.astype(ml_dtypes.bfloat16)
    index = engine.build(ArraySource(halves), "l2", {}, seed=0, threads=1, place=NOWHERE)
    index.save(tmp_path / "halves")
    loaded = engine.load(tmp_path / "halves", ArraySource(halves), "l2", {}, threads=1, place=NOWHERE)
    due = [np.argsort(order_keys("l2", query, halves), kind="stable")[:10].tolist() for query in Q]
    assert answers(loaded) == answers(index) == due


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine", "l1"])
def test_a_run_of_it_scores_one(distance: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shelf.engines.get("numpy-flat") is engine
    np.save(tmp_path / "base.npy", X)
    np.save(tmp_path / "queries.npy", Q)
    files = ["--corpus", str(tmp_path / "base.npy"), "--queries", str(tmp_path / "queries.npy")]
    flags = ["--engine", "numpy-flat", "--distance", distance, "-k", "10", "--warmup", "0", "--json"]
    assert main(["run", *flags, *files, "--out", str(tmp_path / "runs")]) == 0
    (point,) = json.loads(capsys.readouterr().out)["points"]
    score = next(score for score in point["scores"] if score["measure"] == "recall@10")
    assert score["mean"] == 1.0
