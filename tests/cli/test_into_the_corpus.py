"""A folder of Parquet files is a corpus: no verb writes a file into it that would be read as vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Verb

ROWS = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "base").mkdir()
    pq.write_table(pa.table({"id": np.arange(40), "vector": ROWS.tolist()}), tmp_path / "base" / "a.parquet")
    np.save(tmp_path / "q.npy", ROWS[:5].astype(np.float64) + 1)
    return tmp_path / "base"


@pytest.mark.parametrize(
    "words",
    [
        "sample BASE -n 5 --out INTO",
        "sample BASE::vector -n 5 --out q.parquet --hold-out INTO",
        "sample BASE --as corpus -n 5 --out INTO",
        "sample --from BASE -n 5 --out INTO",
        "truth build BASE --queries Q --distance l2 -k 2 --out INTO",
        "truth verify TRUTH --corpus BASE --queries Q --out INTO",
        "truth refresh TRUTH --corpus BASE --queries Q --out INTO",
        "truth import lists.npy --corpus BASE --queries Q --distance l2 --out INTO",
        "run --engine faiss --set factory=Flat --corpus BASE --queries Q --distance l2 -k 2 --out BASE",
    ],
)
def test_nothing_is_written_among_the_vectors(words: str, folder: Path, tmp_path: Path, verb: Verb) -> None:
    truth, queries = tmp_path / "truth.parquet", tmp_path / "q.npy"
    verb("truth", "build", folder, "--queries", queries, "--distance", "l2", "-k", 2, "--out", truth)
    names = {"BASE": folder, "INTO": folder / "b.parquet", "TRUTH": truth, "Q": queries}
    names |= {"BASE::vector": Path(f"{folder}::vector"), "q.parquet": tmp_path / "q.parquet"}
    said = verb(*(names.get(word, word) for word in words.split()), status=2)
    assert f"would be read as vectors of {folder}; name another folder" in said
    assert [path.name for path in folder.iterdir()] == ["a.parquet"]
    assert not (tmp_path / "q.parquet").exists()
