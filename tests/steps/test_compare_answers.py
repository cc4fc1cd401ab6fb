"""Comparing answers of any system: right values, answers beside Runs, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import truerecall as tr
from tests.nouns import run_of, truth_of
from truerecall.errors import InputError, NotAMeasurement, StaleTruth
from truerecall.model.comparison import Comparison, Difference

A, B = [1, 0.9, 0.8, 1, 0.7], [1, 0.8, 0.8, 0.9, 0.7]
TRUE = [[100 * q + i for i in range(10)] for q in range(5)]
TRUTH = truth_of(TRUE)


def lists(values: Sequence[float]) -> list[list[int]]:
    """Ten answers a query, so many of them true."""
    return [[100 * q + i if i < round(10 * v) else 900 - i for i in range(10)] for q, v in enumerate(values)]


def only(found: Comparison) -> Difference:
    (difference,) = found.differences
    return difference


@pytest.mark.parametrize("truth", [TRUTH, np.array(TRUE)])
def test_right_values_of_a_pair(truth: Any) -> None:
    found = tr.compare_answers(truth, lists(B), np.array(lists(A)), measure="recall@10")
    own = only(found)
    assert own.difference == pytest.approx(0.04)
    assert own.standard_error == pytest.approx(0.024, abs=5e-4)
    assert own.unpaired_error == pytest.approx(0.077, abs=5e-4)
    assert (own.n, own.higher, own.lower, own.same) == (5, 2, 0, 3)
    assert (own.word, own.smallest_p, own.claim) == ("undecided", 0.0625, "this index")
    assert (found.no_latency, found.equal_quality) == ("nobody timed A and B", ())
    assert (found.changes, found.origin_unknown) == ((), ("A", "B"))


def test_answers_are_bound_by_query_id_and_not_by_order() -> None:
    shuffled = {q: lists(A)[q] for q in (3, 0, 4, 1, 2)}
    own = only(tr.compare_answers(TRUTH, lists(B), shuffled, measure="recall@10"))
    assert (own.higher, own.lower) == (2, 0)
    assert own.difference == pytest.approx(0.04)


@pytest.mark.parametrize("several", [False, True])
def test_a_run_beside_answers(several: bool) -> None:
    run = run_of(lists(B), k=10)
    found = tr.compare_answers(TRUTH, [run] if several else run, lists(A), measure="recall@10", names=("run", "csv"))
    assert only(found).difference == pytest.approx(0.04)
    assert only(found).setting == "efSearch=16 → answers as given"
    assert found.no_latency == "nobody timed csv"
    assert (found.changes, found.origin_unknown) == ((), ("csv",))


def test_several_settings_against_one_list() -> None:
    runs = [run_of(lists(B), k=10, in_force={"efSearch": ef}) for ef in (8, 16)]
    with pytest.raises(NotAMeasurement, match=r"no setting in common.*nobody timed B; .*one Run file a side"):
        tr.compare_answers(TRUTH, runs, lists(A), measure="recall@10")


def test_another_depth_is_another_measurement() -> None:
    cut = [row[:5] for row in lists(A)]
    with pytest.raises(NotAMeasurement, match=r"one thing changed: k \(10 → 5\); measure both sides with the same k"):
        tr.compare_answers(TRUTH, lists(B), cut, measure="recall@5")
    asked = tr.compare_answers(TRUTH, lists(B), cut, measure="recall@5", asked_k=10)
    assert only(asked).difference == pytest.approx(0.0)
    short = tr.compare_answers(TRUTH, lists(B), cut, measure="recall@10")
    assert only(short).difference == pytest.approx((0.5 * 5 - sum(B)) / 5)
    assert "short-answers" in {finding.code for name, finding in short.findings if name == "B"}


def test_queries_that_one_side_did_not_answer_count_nothing_found() -> None:
    found = tr.compare_answers(TRUTH, lists(A), {0: lists(A)[0], 3: lists(A)[3]}, measure="recall@10")
    assert only(found).difference == pytest.approx(-(0.9 + 0.8 + 0.7) / 5)
    assert "failed-queries" in {finding.code for name, finding in found.findings if name == "B"}


def test_answers_to_other_queries_are_refused() -> None:
    with pytest.raises(StaleTruth, match="none of its 2 queries is in the truth"):
        tr.compare_answers(TRUTH, lists(A), {71: [1], 72: [2]}, measure="recall@10")
    with pytest.raises(StaleTruth, match="holds 4 lists without query ids and the truth 5 queries"):
        tr.compare_answers(TRUTH, lists(A)[:4], lists(B), measure="recall@10")


def test_answers_without_a_valid_score_are_refused() -> None:
    with pytest.raises(NotAMeasurement, match=r"B has no valid recall@10"):
        tr.compare_answers(TRUTH, lists(A), dict.fromkeys(range(5)), measure="recall@10")


def test_a_measure_that_needs_unknown_distances_is_refused() -> None:
    with pytest.raises(InputError, match="needs the true distance of every returned row"):
        tr.compare_answers(TRUTH, lists(A), lists(B), measure="tie_recall@10")
