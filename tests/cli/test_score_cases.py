"""Named cases with their right values, from vectors and answers in files to the document that the verb prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Verb

CHAIN = 1 + 0.9e-6 * np.arange(100)
SCORES = np.concatenate([[1.0], np.linspace(0.787, 0.783, 9), np.linspace(0.7828, 0.7785, 80)])


def judged(
    verb: Verb, folder: Path, rows: Any, queries: Any, answers: Any, measures: str, *, distance: str = "l2", k: int
) -> dict[str, Any]:
    """The truth is built and the answers are judged as a user would."""
    base, asked, truth = folder / "base.npy", folder / "asked.npy", folder / "truth.parquet"
    np.save(base, np.asarray(rows))
    np.save(asked, np.asarray(queries))
    np.save(folder / "answers.npy", np.asarray(answers))
    if not truth.exists():
        verb("truth", "build", base, "--queries", asked, "--distance", distance, "-k", str(k), "--out", truth)
    told: dict[str, Any] = json.loads(
        verb("score", folder / "answers.npy", "--truth", truth, "-k", str(k), "--measures", measures,
             "--corpus", base, "--queries", asked, "--json")
    )  # fmt: skip
    return told


def means(told: dict[str, Any]) -> dict[str, float]:
    return {score["measure"]: score["mean"] for score in told["scores"]}


def message(told: dict[str, Any], code: str) -> str:
    words: str = next(found["message"] for found in told["findings"] if found["code"] == code)
    return words


def test_h01_an_exact_index_with_recall_below_one(verb: Verb, tmp_path: Path) -> None:
    rows = np.array([[1, 0], [-1, 0], [3, 0]], np.float32)
    told = judged(verb, tmp_path, rows, np.zeros((1, 2), np.float32), [[1]], "recall,tie_recall", k=1)
    assert means(told) == {"recall@1": 0.0, "tie_recall@1": 1.0}
    assert "1 of 1 queries has a tie across the cut" in message(told, "ties-at-cut")


def test_h01_eight_of_a_thousand(verb: Verb, tmp_path: Path) -> None:
    """Each query lies at the first of its three rows; for eight of them the first two are equally far."""
    place = 100.0 * np.arange(1000)
    rows = np.zeros((3000, 2), np.float32)
    rows[:, 0] = np.repeat(place, 3)
    rows[:, 1] = np.tile([1.0, 2.0, 3.0], 1000)
    rows[1 : 3 * 8 : 3, 1] = -1.0
    queries = np.stack([place, np.zeros(1000)], axis=1).astype(np.float32)
    answers = 3 * np.arange(1000)[:, None] + (np.arange(1000) < 8)[:, None]
    told = judged(verb, tmp_path, rows, queries, answers, "recall,tie_recall", k=1)
    assert means(told) == {"recall@1": 0.992, "tie_recall@1": 1.0}
    assert message(told, "ties-at-cut").startswith("8 of 1000 queries have a tie across the cut")


def test_h02_one_vector_stored_902_times(verb: Verb, tmp_path: Path) -> None:
    rows = np.zeros((1000, 2))
    rows[902:, 1] = 2 + np.arange(98)
    told = judged(verb, tmp_path, rows, [[0.001, 0.0]], [range(500, 510)], "recall,tie_recall", k=10)
    assert means(told) == {"recall@10": 0.0, "tie_recall@10": 1.0}
    assert "id recall is not usable" in message(told, "ties-at-cut")


@pytest.mark.parametrize(("answers", "expected"), [([97, 98, 99], 0.0), ([3, 4, 5], 1 / 3)])
def test_h04_a_chain_of_near_ties(verb: Verb, tmp_path: Path, answers: list[int], expected: float) -> None:
    rows = np.stack([CHAIN, np.zeros(100)], axis=1)
    told = judged(verb, tmp_path, rows, [[0.0, 0.0]], [answers], "recall,tie_recall", k=3)
    assert means(told) == {"recall@3": 0.0, "tie_recall@3": pytest.approx(expected)}


@pytest.mark.parametrize(
    ("answers", "recall", "tolerant"), [([0, *range(10, 19)], 0.1, 1.0), (list(range(1, 11)), 0.9, 0.9)]
)
def test_h34_losing_the_one_clear_hit_stays_visible(
    verb: Verb, tmp_path: Path, answers: list[int], recall: float, tolerant: float
) -> None:
    rows = np.stack([SCORES, np.ones(90)], axis=1)
    told = judged(
        verb, tmp_path, rows, [[1.0, 0.0]], [answers], "recall,tolerant_recall@10:1%", distance="ip", k=10
    )  # fmt: skip
    assert list(means(told).values()) == pytest.approx([recall, tolerant])
    assert told["scores"][1]["note"] == "x = 1 %"


def test_what_an_index_made_gives_agreement_and_no_recall(verb: Verb, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    base, asked, truth = tmp_path / "base.npy", tmp_path / "asked.npy", tmp_path / "truth.parquet"
    rows, queries = rng.normal(size=(60, 4)), rng.normal(size=(40, 4))
    np.save(base, rows)
    np.save(asked, queries)
    near = np.argsort(((queries[:, None] - rows) ** 2).sum(axis=2), axis=1)
    np.save(tmp_path / "listed.npy", np.ascontiguousarray(near[:, [0, 1, 2, 3, 4, 5, 6, 7, 12, 13]]))
    verb("truth", "import", tmp_path / "listed.npy", "--corpus", base, "--queries", asked, "--distance", "l2",
         "--approximate", "--out", truth)  # fmt: skip
    np.save(tmp_path / "answers.npy", near[:, :10])
    flags = [tmp_path / "answers.npy", "--truth", truth, "-k", "10"]
    for named in ([], ["--measures", "agreement@10"]):
        told = json.loads(verb("score", *flags, *named, "--json"))
        assert means(told) == {"agreement@10": 0.8}
        assert (told["truth"]["state"], told["verdict"] != "invalid") == ("approximate", True)
    assert "agreement@10" in verb("score", *flags)
    assert "agrees with that index, which is not recall" in verb("score", *flags, "--measures", "recall@10", status=3)
