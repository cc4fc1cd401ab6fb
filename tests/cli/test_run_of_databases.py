"""``truerecall run`` over engines that keep files of their own."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Verb


@pytest.mark.parametrize(
    ("engine", "settings", "vary"),
    [
        ("qdrant-edge", ["m=8", "ef_construct=32"], "hnsw_ef=1,400"),
        ("lancedb", ["index_type=IVF_FLAT", "num_partitions=16"], "nprobes=1,16"),
    ],
)
def test_a_sweep_rises_and_leaves_runs_and_truth_alone(
    engine: str, settings: list[str], vary: str, verb: Verb, tmp_path: Path
) -> None:
    random = np.random.default_rng(1)
    for name, rows in (("base", 2000), ("queries", 20)):
        np.save(tmp_path / f"{name}.npy", random.normal(size=(rows, 24)).astype(np.float32))
    vectors: list[str | Path] = ["--corpus", tmp_path / "base.npy", "--queries", tmp_path / "queries.npy"]
    swept = [part for setting in settings for part in ("--set", setting)]
    flags = ["run", "--engine", engine, *swept, "--vary", vary, *vectors, "--distance", "l2", "-k", "10"]
    document = json.loads(verb(*flags, "--out", tmp_path / "runs", "--json"))
    name = vary.partition("=")[0]
    points = sorted(document["points"], key=lambda point: int(point["settings"][name]))
    recalls = [point["scores"][0]["mean"] for point in points]
    assert recalls[0] < recalls[1] > 0.95
    assert not (tmp_path / "runs.part").exists()
    assert {path.suffix for path in (tmp_path / "runs").iterdir()} == {".parquet"}
