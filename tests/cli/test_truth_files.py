"""``truth import`` and ``truth export`` from the command line, and what the verbs make of a truth that was imported."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from tests.cli.conftest import Verb


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    random = np.random.default_rng(3)
    base, queries = random.normal(size=(300, 6)).astype("<f4"), random.normal(size=(8, 6)).astype("<f4")
    for name, rows in (("base.fbin", base), ("queries.fbin", queries)):
        (tmp_path / name).write_bytes(struct.pack("<II", *rows.shape) + rows.tobytes())
    with h5py.File(tmp_path / "set.hdf5", "w") as file:
        file["train"], file["test"] = base, queries
    (tmp_path / "ids.txt").write_text("".join(f"row-{row}\n" for row in range(300)))
    return tmp_path


def sides(folder: Path, *more: str | Path) -> list[str | Path]:
    return ["--corpus", folder / "base.fbin", "--queries", folder / "queries.fbin", "--distance", "l2", *more]


def build(folder: Path, verb: Verb, *more: str | Path) -> Any:
    flags = ["--queries", folder / "queries.fbin", "--distance", "l2", "-k", "5", "--out", folder / "t.parquet"]
    return json.loads(verb("truth", "build", folder / "base.fbin", *flags, *more, "--json"))


@pytest.mark.parametrize("ending", [".npy", ".ivecs", ".ibin", ".hdf5", ".parquet", ".json"])
def test_a_truth_goes_out_and_comes_back(folder: Path, verb: Verb, ending: str) -> None:
    built = build(folder, verb)
    out, back = folder / f"out{ending}", folder / "back.parquet"
    assert verb("truth", "export", folder / "t.parquet", out) == ""
    card = json.loads(verb("truth", "import", out, *sides(folder), "--out", back, "--json"))
    assert (card["state"], card["k"], card["fingerprint"]) == ("unproved", 5, built["fingerprint"])
    again = folder / f"again{ending}"
    verb("truth", "export", back, again)
    if ending != ".hdf5":  # which holds the time of writing
        assert again.read_bytes() == out.read_bytes()


def test_an_ann_benchmarks_file_is_corpus_and_queries(folder: Path, verb: Verb) -> None:
    built = build(folder, verb)
    file, out = folder / "set.hdf5", folder / "t2.parquet"
    flags = ["--queries", file, "--distance", "l2", "-k", "5", "--out", out, "--json"]
    assert json.loads(verb("truth", "build", file, *flags))["digest"] == built["digest"]
    assert json.loads(verb("truth", "build", f"{file}::train", *flags))["digest"] == built["digest"]


def test_string_ids_leave_by_row_where_the_format_holds_numbers(folder: Path, verb: Verb) -> None:
    ids: list[str | Path] = ["--ids", folder / "ids.txt"]
    build(folder, verb, *ids)
    truth, out = folder / "t.parquet", folder / "out.ivecs"
    assert "these ids are strings; use --by row" in verb("truth", "export", truth, out, status=2)
    assert "add --corpus" in verb("truth", "export", truth, out, "--by", "row", status=2)
    verb("truth", "export", truth, out, "--by", "row", "--corpus", folder / "base.fbin", *ids)
    back = folder / "back.parquet"
    said = verb("truth", "import", out, *sides(folder, *ids), "--out", back, status=3)
    assert "use --by row" in said
    verb("truth", "import", out, *sides(folder, *ids), "--by", "row", "--out", back)
    again = folder / "out.json"
    verb("truth", "export", back, again)
    assert all(own.startswith("row-") for row in json.loads(again.read_text())["neighbors"] for own in row)


def test_recall_against_an_unproved_truth_warns_and_against_an_approximate_one_is_refused(
    folder: Path, verb: Verb
) -> None:
    build(folder, verb)
    out, back = folder / "out.ivecs", folder / "back.parquet"
    verb("truth", "export", folder / "t.parquet", out)
    run = [
        "run",
        "--engine",
        "faiss",
        "--repeats",
        "1",
        "--set",
        "factory=HNSW4",
        "-k",
        "5",
        *sides(folder),
        "--truth",
        back,
        "--json",
    ]
    verb("truth", "import", out, *sides(folder), "--out", back)
    (point,) = json.loads(verb(*run, "--out", folder / "one"))["points"]
    assert point["scores"]
    assert "truth-unproved" in {finding["code"] for finding in point["findings"]}
    assert point["verdict"] == "suspect"
    verb("truth", "import", out, *sides(folder), "--approximate", "--out", back)
    assert "no point has a score" in verb(*run, "--out", folder / "two", status=3)


def test_files_that_do_not_fit_leave_nothing_behind(folder: Path, verb: Verb) -> None:
    gt, out = folder / "gt.json", folder / "out.parquet"
    gt.write_text("[[1, 2]]")
    assert "holds 1 lists" in verb("truth", "import", gt, *sides(folder), "--out", out, status=3)
    gt.write_text(json.dumps([[1, 300]] * 8))
    assert "truth of a larger corpus" in verb("truth", "import", gt, *sides(folder), "--out", out, status=3)
    gt.write_text(json.dumps([[1, 1]] * 8))
    assert "8 lists hold an id twice" in verb("truth", "import", gt, *sides(folder), "--out", out, status=2)
    assert not out.exists()
    assert "--by" in verb("truth", "import", gt, *sides(folder), "--by", "name", "--out", out, status=2)
