"""``run --plan``: what a file says is measured, and a flag beside it wins."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Verb

PLAN = """
corpus = "base.npy"
queries = "queries.npy"
distance = "l2"
k = 5
out = "runs"
warmup = 1
repeats = 1

[[engine]]
name = "faiss"
set = { factory = "HNSW4" }
vary = { efSearch = [4, 32] }

[[engine]]
name = "numpy-flat"
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    folder = tmp_path / "plans"
    folder.mkdir()
    np.save(folder / "base.npy", rng.normal(size=(300, 8)).astype(np.float32))
    np.save(folder / "queries.npy", rng.normal(size=(20, 8)).astype(np.float32))
    (folder / "truerecall.toml").write_text(PLAN)
    return folder / "truerecall.toml"


def test_every_section_is_measured_into_one_folder(plan: Path, verb: Verb) -> None:
    document = json.loads(verb("run", "--plan", plan, "--json"))
    assert sorted(json.dumps(point["settings"]) for point in document["points"]) == [
        '{"efSearch": 32}', '{"efSearch": 4}', "{}",
    ]  # fmt: skip
    runs = plan.parent / "runs"
    assert len(list(runs.glob("faiss-*.parquet"))) == 2
    assert len(list(runs.glob("numpy_flat-*.parquet"))) == 1
    assert (runs / "truth.parquet").exists()


def test_a_flag_goes_before_the_file(plan: Path, verb: Verb, tmp_path: Path) -> None:
    flags = ["--engine", "usearch", "--vary", "expansion_search=2,64", "-k", "3", "--out", tmp_path / "own"]
    document = json.loads(verb("run", "--plan", plan, *flags, "--repeats", "2", "--mode", "batch:8", "--json"))
    assert {point["k"] for point in document["points"]} == {3}
    assert len(list((tmp_path / "own").glob("usearch-*batch_8*.parquet"))) == 4
    assert not (plan.parent / "runs").exists()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--set", "M=8"], "--set, --vary and --attach belong to an engine that is not named; name it with --engine"),
        (
            ["--engine", "faiss", "--engine", "usearch"],
            "--engine names faiss and usearch; name one, or write a section",
        ),
        (["--mode", "batch:9000"], "the mode batch:9000 takes 9000 queries at once, and there are"),
        (["--mode", "clients:9000"], "the mode clients:9000 takes 9000 queries at once, and there are"),
        (["--engine", "fais"], "--engine: unknown engine fais; did you mean faiss?"),
        (["--mode", "clients"], "--mode: the mode 'clients' is none; give one-by-one, or as batch:64, or as clients:4"),
        (["--memory", "2XB"], "--memory: '2XB' is not a size; write it as 512MB, 2GB or 1GiB"),
        (["--engine", "usearch", "--vary", "ef=3"], "unknown setting ef; known are: connectivity, dtype"),
        (["--distance", "l1"], "faiss has no l1; choose one of: l2, ip, cosine"),
    ],
)
def test_a_flag_that_cannot_be_is_refused(plan: Path, flags: list[str], words: str, verb: Verb) -> None:
    assert words in verb("run", "--plan", plan, *flags, status=2)
    assert not (plan.parent / "runs").exists()


def test_a_grid_that_is_a_slip_is_refused(plan: Path, verb: Verb) -> None:
    many = ["--vary", "M=" + ",".join(map(str, range(2, 103))), "--vary", "ef=" + ",".join(map(str, range(1, 101)))]
    said = verb("run", "--plan", plan, "--engine", "hnswlib", *many, status=2)
    assert "the grid of hnswlib has 10,100 points; vary less: at most 10,000" in said


def test_engines_are_listed_with_what_to_install(verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truerecall.engines.hnswlib.installed", lambda _: None)
    cards = {card["name"]: card for card in json.loads(verb("engines", "--json"))}
    extras = {name: card["extra"] for name, card in cards.items()}
    assert {name for name, extra in extras.items() if extra is None} == {"callable", "faiss", "numpy_flat"}
    assert (extras["pgvector"], extras["qdrant_edge"]) == ("postgres", "qdrant-edge")
    assert {name for name, card in cards.items() if card["tested"] != "real"} == {"qdrant"}
    assert cards["faiss"]["capabilities"] == ["build", "save", "filter"]
    assert "attach" in cards["pgvector"]["capabilities"]
    assert [name for name, card in cards.items() if not card["installed"]] == ["hnswlib"]
    assert [own["name"] for own in cards["hnswlib"]["build_settings"]] == ["M", "ef_construction"]


def test_an_engine_that_is_not_installed_is_refused(plan: Path, verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truerecall.engines.hnswlib.installed", lambda _: None)
    said = verb("run", "--plan", plan, "--engine", "hnswlib", status=2)
    assert "hnswlib is not installed; run: pip install 'truerecall[hnswlib]'" in said
