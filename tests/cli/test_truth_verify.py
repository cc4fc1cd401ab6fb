"""Masks and verification on the command line: what is printed, what is written, and with which status it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerecall.cli.main import main
from truerecall.model.neighbors import Neighbors
from truerecall.model.truth import PROVED, SAMPLED, UNPROVED
from truerecall.store.truths import load_truth, save_truth

Verb = Callable[..., Any]
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"


@pytest.fixture
def verb(capsys: pytest.CaptureFixture[str]) -> Verb:
    def call(*arguments: str | Path, status: int = 0) -> Any:
        ended = main([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        assert ended == status, shown.err
        assert "Traceback" not in shown.err
        return shown

    return call


@pytest.fixture
def vectors(tmp_path: Path) -> tuple[Path, Path]:
    rng = np.random.default_rng(3)
    base, queries = tmp_path / "base.npy", tmp_path / "queries.npy"
    np.save(base, rng.normal(size=(200, 5)).astype(np.float32))
    np.save(queries, rng.normal(size=(80, 5)).astype(np.float32))
    return base, queries


@pytest.fixture
def truth(vectors: tuple[Path, Path], verb: Verb, tmp_path: Path) -> Path:
    base, queries = vectors
    path = tmp_path / "truth.parquet"
    verb("truth", "build", base, "--queries", queries, "--distance", "l2", "-k", "4", "--out", path)
    return path


def sides(vectors: tuple[Path, Path]) -> list[str | Path]:
    return ["--corpus", vectors[0], "--queries", vectors[1]]


def spoil(path: Path, **others: Any) -> None:
    truth = load_truth(path)
    ids = truth.neighbors.ids.copy()
    ids[0], ids[1] = ids[1], ids[0]
    neighbors = Neighbors(ids, truth.neighbors.distances, truth.neighbors.offsets)
    save_truth(replace(truth, neighbors=neighbors, **others), path)


def test_a_sample_of_fifty_by_default(truth: Path, vectors: tuple[Path, Path], verb: Verb) -> None:
    shown = verb("truth", "verify", truth, *sides(vectors))
    assert "50 of 80 queries recomputed, all agree" in shown.out
    assert "at most 6 % of all queries are wrong (3/n)" in shown.out
    assert "state: proved" in shown.out
    card = json.loads(verb("truth", "verify", truth, *sides(vectors), "--sample", "30", "--seed", "4", "--json").out)
    assert (card["agrees"], card["queries"], card["checked"], card["agreed"]) == (True, 80, 30, 30)
    assert (card["seed"], card["bound"], card["first_disagreement"], card["likely_cause"]) == (4, 0.1, None, None)


def test_all_of_them_prove_a_truth(truth: Path, vectors: tuple[Path, Path], verb: Verb, tmp_path: Path) -> None:
    save_truth(replace(load_truth(truth), state=UNPROVED), truth)
    sampled = tmp_path / "sampled.parquet"
    verb("truth", "verify", truth, *sides(vectors), "--out", sampled)
    assert (load_truth(truth).state, load_truth(sampled).state) == (UNPROVED, SAMPLED)
    shown = verb("truth", "verify", truth, *sides(vectors), "--all", "--update")
    assert "80 of 80 queries recomputed, all agree: every list is right" in shown.out
    assert load_truth(truth).state == PROVED


def test_a_wrong_truth_is_refused_and_left_as_it_is(
    truth: Path, vectors: tuple[Path, Path], verb: Verb, tmp_path: Path
) -> None:
    spoil(truth, state=UNPROVED)
    before = truth.read_bytes()
    out = tmp_path / "never.parquet"
    shown = verb("truth", "verify", truth, *sides(vectors), "--all", "--json", "--out", out, status=3)
    card = json.loads(shown.out)
    assert (card["agrees"], card["checked"], card["agreed"], card["state"]) == (False, 80, 79, "unproved")
    first = card["first_disagreement"]
    assert (first["query"], first["kind"]) == (0, "distance")
    assert first["stored"] < first["recomputed"]
    (line,) = [line for line in shown.err.splitlines() if line.startswith("truerecall: ")]
    assert "is wrong: 1 of 80 recomputed queries disagree; query 0: " in line
    assert str(first["row"]) in line
    assert (truth.read_bytes(), out.exists()) == (before, False)


def test_other_vectors_are_refused_by_their_identity(truth: Path, vectors: tuple[Path, Path], verb: Verb) -> None:
    np.save(vectors[0], np.load(vectors[0])[:-1])
    assert "200 rows, not 199" in verb("truth", "verify", truth, *sides(vectors), status=3).err


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--all", "--sample", "3"], "--all and --sample are both given"),
        (["--update", "--out", "x.parquet"], "--update and --out are both given"),
        (["--sample", "0"], "--sample"),
        (["--rows", "absent.npy"], "absent.npy does not exist"),
    ],
)
def test_bad_usage(flags: list[str], words: str, truth: Path, vectors: tuple[Path, Path], verb: Verb) -> None:
    assert words in verb("truth", "verify", truth, *sides(vectors), *flags, status=2).err


def test_masks_are_stored_shown_and_needed_to_verify(vectors: tuple[Path, Path], verb: Verb, tmp_path: Path) -> None:
    mask, lists, out = tmp_path / "keep.npy", tmp_path / "allowed.jsonl", tmp_path / "masked.parquet"
    np.save(mask, np.arange(200) % 2 == 0)
    lists.write_text("".join(json.dumps({"query_id": q, "ids": list(range(q % 3))}) + "\n" for q in range(80)))
    masks = ["--rows", mask, "--allowed", lists]
    build = ["truth", "build", vectors[0], "--queries", vectors[1], "--distance", "ip", "-k", "4"]
    card = json.loads(verb(*build, "--out", out, *masks, "--json").out)
    assert card["eligible"] == {"fewest": 0, "most": 1, "none": 27}
    assert card["reasons"]["filter"].startswith("100 of 200 rows kept, digest ")
    assert card["reasons"]["allowed"].startswith("0 to 2 rows listed for each query, digest ")
    assert "reasons.filter" in verb("truth", "show", out).out
    truth = load_truth(out)
    assert {tuple(truth.neighbors.of(q)[0].tolist()) for q in range(80)} == {(), (0,)}
    assert "all agree" in verb("truth", "verify", out, *sides(vectors), *masks, "--all").out
    assert "other eligible rows (allowed: " in verb("truth", "verify", out, *sides(vectors), status=3).err


def test_h09_on_the_command_line(verb: Verb, tmp_path: Path) -> None:
    base, queries, out = tmp_path / "base.npy", tmp_path / "queries.npy", tmp_path / "truth.parquet"
    np.save(base, np.array([[1.0, 0], [0, 1], [1, 1], [0, 0]]))
    np.save(queries, np.array([[2.0, 0], [0, 0]]))
    build = ["truth", "build", base, "--queries", queries, "--distance", "cosine", "-k", "3", "--out", out]
    said = verb(*build, status=2).err
    assert "query 1 holds only zeros" in said
    assert "--zero-vectors leave-out" in said
    shown = verb(*build, "--zero-vectors", "leave-out").out
    assert "1 row and 1 query left out: only zeros" in shown
    truth = load_truth(out)
    assert [truth.neighbors.of(q)[0].tolist() for q in range(2)] == [[0, 2, 1], []]
    assert "all agree" in verb("truth", "verify", out, *sides((base, queries))).out


@pytest.mark.parametrize("way", ["id", "content"])
def test_h24_on_the_command_line(way: str, verb: Verb, tmp_path: Path) -> None:
    rows, out = tmp_path / "rows.npy", tmp_path / "truth.parquet"
    np.save(rows, np.array([[0.0, 0], [1, 5], [2, 0], [3, 5]]))
    build = ["truth", "build", rows, "--queries", rows, "--distance", "l2", "-k", "1", "--out", out]
    assert "4 of 4 queries are rows of the corpus" in verb(*build).out
    shown = verb(*build, "--exclude-self", way).out
    assert f"by {way}: a row of its own is excluded for 4 of 4 queries" in shown
    assert "rows of the corpus" not in shown
    assert load_truth(out).neighbors.ids.tolist() == [2, 3, 0, 1]
    assert "all agree" in verb("truth", "verify", out, *sides((rows, rows))).out


@pytest.mark.parametrize("flag", ["--zero-vectors", "--not-finite", "--exclude-self"])
def test_unknown_choices_are_named(flag: str, vectors: tuple[Path, Path], verb: Verb, tmp_path: Path) -> None:
    build = ["truth", "build", vectors[0], "--queries", vectors[1], "--distance", "l2", "-k", "1"]
    said = verb(*build, "--out", tmp_path / "t.parquet", flag, "perhaps", status=2).err
    assert f"unknown value of {flag} perhaps" in said


@pytest.mark.parametrize(
    ("name", "distance"),
    [("digits-64-euclidean", "l2"), ("random-xs-16-hamming", "hamming"), ("random-xs-20-angular", "cosine")],
)
def test_the_neighbours_of_shared_files_are_proved(name: str, distance: str, verb: Verb, tmp_path: Path) -> None:
    file, out = SHARED / "hdf5-annb" / f"{name}.hdf5", tmp_path / "truth.parquet"
    if not file.exists():
        pytest.skip("the shared data set is not beside this repository")
    both = ["--corpus", file, "--queries", file]
    verb("truth", "import", file, *both, "--distance", distance, "--out", out)
    assert load_truth(out).state == UNPROVED
    assert "every list is right" in verb("truth", "verify", out, *both, "--all", "--update").out
    assert load_truth(out).state == PROVED
    verb(
        "truth",
        "build",
        file,
        "--queries",
        file,
        "--distance",
        distance,
        "-k",
        load_truth(out).k,
        "--out",
        tmp_path / "b",
    )
    imported, built = load_truth(out), load_truth(tmp_path / "b")
    assert imported.tied.tolist() == built.tied.tolist()
    assert imported.neighbors.distances.tolist() == pytest.approx(built.neighbors.distances.tolist(), abs=1e-5)
