"""tie_recall@k against right values worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.measures.values import at, per_query, pick, value
from truerecall.model.cut import ALL_TIED, NO_TRUE_NEIGHBOUR

ROWS = at([0.0, 1.0, 2.0, 2.0])


def test_a_tied_row_fills_the_place_of_another_and_not_of_a_nearer_one() -> None:
    assert value("tie_recall@3", ROWS[:3], pick(ROWS, 1, 2, 3)) == pytest.approx(2 / 3)
    assert value("tie_recall@3", ROWS[:3], pick(ROWS, 0, 1, 3)) == 1.0
    assert value("recall@3", ROWS[:3], pick(ROWS, 0, 1, 3)) == pytest.approx(2 / 3)


def test_h01_an_exact_index_with_r_at_1_below_one() -> None:
    assert value("recall@1", [(0, 1.0)], [(1, 1.0)]) == 0.0
    assert value("tie_recall@1", [(0, 1.0)], [(1, 1.0)]) == 1.0
    truth, found = [[(0, 1.0)]] * 1000, [[(1, 1.0)]] * 8 + [[(0, 1.0)]] * 992
    assert per_query("recall@1", truth, found).values.mean() == 0.992
    assert per_query("tie_recall@1", truth, found).values.mean() == 1.0


def test_h02_one_vector_stored_902_times() -> None:
    copies = at([0.001] * 902)
    assert value("recall@10", copies[:10], copies[500:510]) == 0.0
    assert value("tie_recall@10", copies[:10], copies[500:510]) == 1.0


def test_h03_ten_times_the_same_point() -> None:
    rows = at([float(d) for d in range(10)])
    assert value("tie_recall@10", rows, [rows[0]] * 10) == 0.1
    assert value("tie_recall@10", at([1.0] * 10), [(0, 1.0)] * 10, eligible=20) == 0.1
    assert value("tie_recall@10", at([1.0] * 10), [(77, 1.0)] * 10) == 0.1  # a repeat of a row that is not listed


def test_h04_a_chain_of_near_ties_does_not_chain() -> None:
    rows = at([1 + 0.9e-6 * i for i in range(100)], first=1)
    assert value("tie_recall@3", rows[:3], pick(rows, 98, 99, 100)) == 0.0
    assert value("tie_recall@3", rows[:3], pick(rows, 4, 5, 6)) == pytest.approx(1 / 3)


def test_h22_a_row_that_may_not_answer_is_a_miss_however_near() -> None:
    for measure in ("recall@1", "tie_recall@1", "eps_recall@1(0.5)", "tolerant_recall@1(50%)", "ratio@1"):
        assert value(measure, [(1, 5.0)], [(0, 0.0)], may_count=np.array([[False]])) == 0.0
        assert value(measure, [(1, 5.0)], [(9, float("nan"))]) == 0.0
        assert value(measure, [(1, 5.0)], [(2, 10.0)]) == (0.5 if measure == "ratio@1" else 0.0)


def test_bits_and_whole_numbers_tie_only_where_they_are_equal() -> None:
    near = [(1, 1e6)], [(2, 1e6 + 0.5)]
    assert value("tie_recall@1", *near) == 1.0
    assert value("tie_recall@1", *near, integral=True) == 0.0


@pytest.mark.parametrize(
    ("distance", "true", "came", "expected"),
    [
        ("l2", 10.0, 10.000009, 1.0),
        ("l2", 10.0, 10.000011, 0.0),
        ("ip", -10.0, -9.999991, 1.0),
        ("ip", -10.0, -9.999989, 0.0),
        ("cosine", 0.5, 0.5000009, 1.0),
        ("cosine", 0.5, 0.5000011, 0.0),
    ],
)
def test_the_width_of_the_band(distance: str, true: float, came: float, expected: float) -> None:
    assert value("tie_recall@1", [(1, true)], [(2, came)], distance=distance) == expected


def test_a_cut_above_the_depth_of_the_truth_has_its_own_ties() -> None:
    rows = at([1.0, 2.0, 2.0, 3.0])
    assert value("tie_recall@2", rows, pick(rows, 0, 2)) == 1.0
    assert value("tie_recall@2", rows, pick(rows, 2, 1)) == 0.5
    assert value("2-tie_recall@3", rows, pick(rows, 3, 2, 0)) == 1.0


def test_h31_a_band_that_covers_every_eligible_row_is_undefined() -> None:
    tied = {"distance": "ip", "whole": np.array([True]), "deepest": np.array([0.0]), "eligible": 50}
    for measure in ("recall@2", "tie_recall@2", "tolerant_recall@2(1%)", "mrr@2"):
        score = per_query(measure, [at([0.0, 0.0])], [at([0.0, 0.0])], **tied)
        assert score.undefined.tolist() == [ALL_TIED]
        assert score.values.tolist() == [0.0]
        # As many rows as places: nothing is left to chance.
        assert value(measure, at([0.0, 0.0]), at([0.0, 0.0]), **{**tied, "eligible": 2}) == 1.0
    assert value("recall@2", at([0.0, 0.0]), at([0.0, 0.0]), **{**tied, "whole": np.array([False])}) == 1.0
    assert value("recall@2", at([-1.0, 0.0]), at([-1.0, 0.0]), **tied) == 1.0
    nobody = per_query("recall@2", [[], at([0.0, 0.0])], [[], []], eligible=[0, 50])
    assert nobody.undefined.tolist() == [NO_TRUE_NEIGHBOUR, ""]
