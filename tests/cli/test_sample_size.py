"""``truerecall sample size``: one line, or one document."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Verb


def test_the_values_on_record(verb: Verb) -> None:
    assert verb("sample", "size", "--half-width", 0.01, "--sd", 0.177).startswith("1204 queries: ")
    document = json.loads(verb("sample", "size", "--detect", 0.005, "--sd", 0.05, "--json"))
    assert document == {
        "queries": 785,
        "detect": 0.005,
        "sd": 0.05,
        "sd_from": "as given by --sd",
        "assumed": None,
        "formula": "n = 7.85 (sd / D)^2",
    }


def test_from_pilots(tmp_path: Path, verb: Verb) -> None:
    random = np.random.default_rng(0)
    base, queries, runs = tmp_path / "base.npy", tmp_path / "q.npy", tmp_path / "runs"
    np.save(base, random.normal(size=(400, 12)).astype(np.float32))
    np.save(queries, random.normal(size=(40, 12)).astype(np.float32))
    flags = ["--engine", "faiss", "--set", "factory=HNSW4", "--vary", "efSearch=5,10", "--warmup", 0, "--repeats", 1]
    files = ["--corpus", base, "--queries", queries, "--distance", "l2", "-k", 5, "--out", runs]
    verb("run", *flags, *files)
    one, two = sorted(runs.glob("faiss*.parquet"))
    alone = json.loads(verb("sample", "size", "--half-width", 0.02, "--pilot", one, "--json"))
    assert alone["queries"] == int(np.ceil((1.96 * alone["sd"] / 0.02) ** 2))
    assert alone["sd_from"] == "recall@5 over 40 queries of the pilot"
    paired = json.loads(verb("sample", "size", "--detect", 0.02, "--pilot", one, "--pilot", two, "--json"))
    assumed = json.loads(verb("sample", "size", "--detect", 0.02, "--pilot", one, "--json"))
    assert paired["assumed"] is None
    assert assumed["sd"] == pytest.approx(np.sqrt(2) * alone["sd"])
    assert "; assumed: " in verb("sample", "size", "--detect", 0.02, "--pilot", one)
    (runs / "truth.parquet").unlink()
    assert "name it with --truth" in verb("sample", "size", "--half-width", 0.02, "--pilot", one, status=2)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ([], "one claim each"),
        (["--half-width", "0.1", "--detect", "0.1"], "one claim each"),
        (["--half-width", "0.1"], "give --sd, or --pilot RUN"),
        (["--half-width", "0.1", "--sd", "1", "--pilot", "runs"], "give --sd, or --pilot RUN"),
        (["--half-width", "1", "--sd", "0.1"], "between 0 and 1"),
        (["--half-width", "0.1", "--sd", "0"], "all queries agree"),
        (["--half-width", "0.1", "--pilot", "absent.parquet"], "absent.parquet does not exist"),
        (["--halfwidth", "0.1"], "did you mean --half-width?"),
    ],
)
def test_refusals(flags: list[str], words: str, verb: Verb) -> None:
    assert words in verb("sample", "size", *flags, status=2)
