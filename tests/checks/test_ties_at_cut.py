"""ties-at-cut: more rows in the tie band at the cut than places left for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.nouns import Lists, truth_of
from truerecall.checks.ties_at_cut import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.source import ArraySource
from truerecall.model.truth import NOT_COUNTED, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.truth import build_truth


def tied(lists: Lists, nearer: list[int], tied: list[int], eligible: list[int] | None = None) -> GroundTruth:
    truth = truth_of(lists, eligible=eligible)
    return replace(truth, nearer=np.array(nearer, np.int64), tied=np.array(tied, np.int64))


FIRES: dict[str, dict[str, Any]] = {
    "H01": {"truth": tied([[0]], [0], [2])},
    "H01, 8 of 1000": {"truth": tied([[0]] * 1000, [0] * 1000, [2] * 8 + [1] * 992)},
    "H02": {"truth": tied([list(range(10))], [0], [902])},
    "forty copies": {"truth": tied([list(range(10))], [0], [40])},
    "at the depth of the run": {"truth": tied([[0, 1]], [1], [2]), "k": 2},
}
STAYS_QUIET = {
    "nothing ties": {"truth": tied([[0, 1], [2, 3]], [1, 1], [1, 1])},
    "a tie that ends at the cut": {"truth": tied([[0, 1, 2]], [1], [2])},
    "a tie that ends where no more rows qualify": {"truth": tied([[0, 1], []], [0, 0], [2, 0], [2, 0])},
}


@pytest.mark.parametrize(
    ("case", "severity", "by_chance", "words"),
    [
        ("H01", "warning", 0.5, "1 of 1 queries has a tie across the cut (largest: 2 rows for 1 place)"),
        ("H01, 8 of 1000", "note", 0.996, "8 of 1000 queries have a tie across the cut"),
        ("H02", "warning", 10 / 902, "id recall is not usable on these vectors: 1 of 1 queries"),
        ("forty copies", "warning", 0.25, "(largest: 40 rows for 10 places)"),
        ("at the depth of the run", "warning", 0.75, "(largest: 2 rows for 1 place)"),
    ],
)
def test_it_says_what_an_exact_index_would_have_by_chance(
    case: str, severity: str, by_chance: float, words: str
) -> None:
    finding = check.examine(**FIRES[case])
    assert isinstance(finding, Finding)
    assert finding.severity == severity
    assert finding.evidence["recall_by_chance"] == pytest.approx(by_chance, rel=1e-12)
    assert words in finding.message
    assert "tie-aware" in finding.remedy


def test_it_cannot_tell_at_another_depth_or_where_nobody_counted() -> None:
    truth = tied([[0, 1]], [0], [5])
    assert isinstance(check.examine(truth, 1), CannotTell)
    assert isinstance(check.examine(replace(truth, tied=np.array([NOT_COUNTED]))), CannotTell)


def test_h02_in_a_truth_that_is_built() -> None:
    rows = np.zeros((1000, 3), np.float32)
    rows[902:] = 10 + np.random.default_rng(0).random((98, 3))
    query = np.array([[0.001, 0, 0]], np.float32)
    truth = build_truth(Corpus(ArraySource(rows)), QuerySet(query), "l2", 10)
    assert truth.neighbors.ids.tolist() == list(range(10))
    finding = check.examine(truth)
    assert isinstance(finding, Finding)
    assert finding.message.startswith(
        "id recall is not usable on these vectors: 1 of 1 queries has a tie across the cut"
        " (largest: 902 rows for 10 places)"
    )
