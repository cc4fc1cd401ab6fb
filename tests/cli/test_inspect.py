"""``inspect`` on the command line: the answer, its faces, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Verb


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    random = np.random.default_rng(0)
    rows = random.standard_normal((200, 6)).astype(np.float32)
    rows[10:25] = rows[0]
    rows[30, 2] = np.nan
    np.save(tmp_path / "base.npy", rows)
    np.save(tmp_path / "queries.npy", np.concatenate([rows[40:44], random.standard_normal((26, 6)).astype(np.float32)]))
    return tmp_path


def test_findings_come_first_and_every_quality_is_shown(folder: Path, verb: Verb) -> None:
    shown = verb("inspect", folder / "base.npy", "--queries", folder / "queries.npy", "-k", "5")
    assert shown.startswith("Are these vectors fit to measure recall on? With care\n3 warnings may make recall")
    assert shown.index("duplicate-rows") < shown.index("Exact duplicates")
    assert "1 duplicate group, largest 16, 15 surplus rows" in shown
    assert "4 of 30 queries are rows of the corpus" in shown
    assert "1 of 200 rows hold NaN (30)" in shown
    for title in ("Unusable rows", "Ties across the cut", "Lengths", "Intrinsic dimension", "Hubs", "Shift of the"):
        assert title in shown
    assert "every row was read for duplicates, unusable values, lengths and constant dimensions (200 rows)" in shown


def test_without_queries_it_says_that_nothing_about_them_was_examined(folder: Path, verb: Verb) -> None:
    shown = verb("inspect", folder / "base.npy")
    assert "No queries were given, so nothing about them was examined." in shown
    assert "Queries that are rows" not in shown


def test_the_document_holds_every_number_with_its_n_and_interval(folder: Path, verb: Verb) -> None:
    base, queries = folder / "base.npy", folder / "queries.npy"
    document = json.loads(verb("inspect", base, "--queries", queries, "-k", "5", "--seed", "3", "--json"))
    assert document["verdict"] == "suspect"
    assert document["seed"] == 3
    assert document["corpus"]["duplicates"] == {"groups": 1, "largest": 16, "surplus": 15, "share": 16 / 199}
    assert document["corpus"]["faults"] == {"counts": {"NaN": 1}, "first": {"NaN": [30]}}
    dimension = document["corpus"]["intrinsic_dimension"]
    assert (dimension["n"] + dimension["left_out"], dimension["ci_method"]) == (199, "bca")
    assert dimension["ci95"][0] < dimension["value"] < dimension["ci95"][1]
    assert document["queries"]["in_corpus"] == 4
    assert {finding["code"] for finding in document["findings"]} >= {"duplicate-rows", "queries-in-corpus"}
    assert {check["outcome"] for check in document["checks"]} <= {"passed", "fired", "cannot tell"}
    assert len(document["sampled"]) == 4
    assert json.loads(verb("inspect", base, "--json"))["queries"] is None


@pytest.mark.parametrize(
    ("name", "starts"), [("page.html", "<!DOCTYPE html>"), ("text.md", "# Are these"), ("document.json", "{")]
)
def test_the_ending_of_out_says_the_face(folder: Path, verb: Verb, name: str, starts: str) -> None:
    out = folder / "made" / name
    document = json.loads(verb("inspect", folder / "base.npy", "--out", out, "--json"))
    written = out.read_text(encoding="utf-8")
    assert written.lstrip().startswith(starts)
    if name.endswith("json"):
        assert json.loads(written) == document


def test_bits_are_looked_at_under_hamming_where_no_distance_is_named(folder: Path, verb: Verb) -> None:
    np.save(folder / "bits.npy", np.random.default_rng(0).random((60, 20)) < 0.5)
    document = json.loads(verb("inspect", folder / "bits.npy", "--json"))
    assert (document["corpus"]["distance"], document["corpus"]["dimensions"]) == ("hamming", 20)
    assert document["corpus"]["lengths"] is None


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--out", "page.pdf"], "unknown format pdf; known are: html, json, md"),
        (["--out", "page"], "unknown format page; known are: html, json, md"),
        (["--distance", "hamming"], "the distance hamming is of bits"),
        (["--distance", "l3"], "unknown distance l3"),
        (["--queries", "three.npy"], "three.npy has 3 dimensions and"),
        (["--queries", "nothing.npy"], "nothing.npy"),
        (["-k", "0"], "-k"),
    ],
)
def test_what_cannot_be_used_ends_with_status_2(
    folder: Path, verb: Verb, flags: list[str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    np.save("three.npy", np.ones((2, 3), np.float32))
    assert words in verb("inspect", "base.npy", *flags, status=2)
    assert sorted(path.name for path in folder.iterdir()) == ["base.npy", "queries.npy", "three.npy"]


def test_a_corpus_without_a_usable_row_is_refused(folder: Path, verb: Verb) -> None:
    np.save(folder / "zeros.npy", np.zeros((3, 4), np.float32))
    said = verb("inspect", folder / "zeros.npy", "--distance", "cosine", status=2)
    assert "none of the 3 rows of" in said
    assert "is usable under cosine; give other vectors" in said


def test_vectors_are_not_replaced_by_a_page(folder: Path, verb: Verb) -> None:
    (folder / "page.html").write_bytes(b"\x93NUMPY\x00\xff")
    assert "is no text and would be replaced" in verb(
        "inspect", folder / "base.npy", "--out", folder / "page.html", status=2
    )
