"""tolerant_recall and eps_recall: right values worked by hand, and the greedy pass beside every possible matching."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.measures.values import along, at, per_query, value
from truerecall.errors import InputError
from truerecall.kernels.thresholds import error_shares, furthest, largest_matching

Row = tuple[int, float]


def scores(*values: float, first: int = 0) -> list[Row]:
    """Rows with these similarities, under ip."""
    return at([-s for s in values], first)


def test_exact_ids_first_is_not_the_maximum() -> None:
    truth = scores(1.00, 0.995)
    assert value("tolerant_recall@2(1%)", truth, [truth[1], (9, -0.986)], distance="ip") == 1.0


def test_a_lost_clear_hit_stays_visible() -> None:
    truth = scores(0.90, 0.80, 0.79, 0.78)
    found = [truth[1], truth[2], (8, -0.7799), (9, -0.775)]
    assert value("recall@4", truth, found, distance="ip") == 0.5
    assert value("tolerant_recall@4(1%)", truth, found, distance="ip") == 0.75
    assert value("eps_recall@4(0.01)", truth, found, distance="ip") == 1.0


def test_h34_one_row_stands_in_for_one_true_row_only() -> None:
    nine = np.linspace(0.787, 0.783, 9).tolist()
    rows = scores(1.0, *nine, *np.linspace(0.7828, 0.7785, 80).tolist(), first=1)
    truth = rows[:10]
    for found, recall, tolerant in (([rows[0], *rows[10:19]], 0.1, 1.0), (rows[1:11], 0.9, 0.9)):
        assert value("recall@10", truth, found, distance="ip") == recall
        assert value("tolerant_recall@10(1%)", truth, found, distance="ip") == tolerant


def test_the_derived_tolerance() -> None:
    truth = scores(0.90, 0.86, 0.83, 0.80, 0.79, 0.78)
    score = per_query("tolerant_recall@6(auto)", [truth], [truth], distance="ip")
    assert score.note == "x = 2.22 %"
    # By l2: 100 (d_6 - d_4) / d_6.
    by_distance = per_query("tolerant_recall@6(auto)", [at([1.0, 2.0, 3.0, 4.0, 4.5, 5.0])], [[]])
    assert by_distance.note == "x = 20 % of the distance"


def test_the_tolerance_from_the_error_of_a_score() -> None:
    truth = scores(0.80, 0.78, 0.76)
    # 100 * 0.008 / 0.80; 0.78 - 1 % of it is 0.7722, 0.76 - 1 % is 0.7524.
    score = per_query("tolerant_recall@3(error:0.008)", [truth], [[(8, -0.7723), (9, -0.7523)]], distance="ip")
    assert score.note == "x = 1 %"
    assert score.values.tolist() == pytest.approx([1 / 3])
    # By l2 100 * 0.04 / 2.0: the 1.0 of the first neighbour reaches to 1.02, within the error.
    by_distance = per_query("tolerant_recall@2:error:0.04", [at([1.0, 2.0])], [[(8, 1.021), (9, 2.05)]])
    assert by_distance.note == "x = 2 % of the distance"
    assert by_distance.values.tolist() == [0.5]
    each = [scores(1.0), scores(0.5), scores(-1.0)]
    both = per_query("tolerant_recall@1(error:0.01)", each, [[]] * 3, distance="ip")
    assert both.note == "x = 1.5 %"


@given(st.lists(st.floats(0.1, 1.0), min_size=1, max_size=6), st.floats(0.0, 0.05))
def test_an_error_moves_no_threshold_further_than_itself(values: list[float], error: float) -> None:
    falling, rising = np.sort(values)[::-1], np.sort(values)
    for distance, true in (("ip", -falling), ("cosine", 1.0 - falling), ("l2", rising)):
        (share,), _ = error_shares(distance, true[None, :], np.array([len(true)]), error)
        assert (furthest(distance, true[None, :], float(share)) <= true + error + 1e-9).all()


def test_the_curve_over_tolerances() -> None:
    truth = scores(0.90, 0.80, 0.79, 0.78)
    found = [truth[1], truth[2], (8, -0.7799), (9, -0.775)]
    drawn = {round(100 * x, 2): values for x, values in along("tolerant_recall@4(1%)", [truth], [found], distance="ip")}
    assert list(drawn) == [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0]
    assert (drawn[0.0], drawn[1.0]) == ([0.5], [0.75])
    assert along("tolerant_recall@4(0%)", [truth], [found], distance="ip")[-1][0] == 0.02
    assert along("tolerant_recall@4(50%)", [truth], [found], distance="ip")[-1][0] == 1.0
    assert along("recall@4", [truth], [found], distance="ip") == []


def test_the_derived_tolerance_is_a_mean_over_queries_that_have_one() -> None:
    usual, flat, none = [-0.9, -0.6, -0.6], [-0.5, -0.5, -0.5], [1.0, 2.0, 3.0]
    score = per_query("tolerant_recall@3(auto)", [at(usual), at(flat), at(none)], [[], [], []], distance="ip")
    assert score.note == "x = 0 %"
    score = per_query("tolerant_recall@3(auto)", [at([-0.9, -0.9, -0.81]), at(flat)], [[], []], distance="ip")
    assert score.note == "x = 5 %"
    with pytest.raises(InputError, match="no query has neighbours from which a tolerance can be derived"):
        per_query("tolerant_recall@3(auto)", [at(none)], [[]], distance="ip")
    with pytest.raises(InputError, match="at least 3 neighbours"):
        per_query("tolerant_recall@2(auto)", [at(usual)], [[]], distance="ip")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tolerant_recall@4", "does not say the tolerance"),
        ("tolerant_recall@4(1)", "has a tolerance without its %"),
        ("tolerant_recall@4(error:)", "has no error of a score"),
        ("tolerant_recall@4(error:-1)", "has no error of a score"),
        ("tolerant_recall@4(error:nan)", "has no error of a score"),
        ("tolerant_recall@4(error:1%)", "has an error in %"),
        ("tolerant_recall@4(101%)", "has '101%' for the tolerance, from 0% to 100%"),
        ("tolerant_recall@4(nan%)", "has 'nan%' for"),
        ("eps_recall@4", r"does not say the tolerance, from 0 to 1; write eps_recall@4\(0.01\)"),
        ("eps_recall@4(-0.1)", "has '-0.1' for"),
        ("eps_recall@4(x)", "has 'x' for"),
        ("4-eps_recall@5(0.1)", "looks at one depth"),
    ],
)
def test_there_is_no_silent_tolerance(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        value(name, at([1.0]), at([1.0]))


def test_a_row_on_the_edge_is_in() -> None:
    for distance, true, edge, beyond in (
        ("l2", 3.0, 3.3, 3.3001),
        ("l1", 0.3, 0.33, 0.3301),
        ("ip", -0.3, -0.27, -0.2699),
        ("ip", 0.3, 0.33, 0.3301),  # a negative score
        ("cosine", 0.7, 0.73, 0.7301),
    ):
        for name in ("eps_recall@1(0.1)", "tolerant_recall@1(10%)"):
            assert value(name, [(0, true)], [(1, edge)], distance=distance) == 1.0, (distance, name)
            assert value(name, [(0, true)], [(1, beyond)], distance=distance) == 0.0, (distance, name)


def test_per_cent_and_share_are_one_tolerance() -> None:
    assert value("eps_recall@1(10%)", [(0, 3.0)], [(1, 3.2)]) == value("eps_recall@1(0.1)", [(0, 3.0)], [(1, 3.2)]) == 1


def brute_force(true: list[float], found: list[float], distance: str, share: float) -> int:
    """The largest matching over every assignment; thresholds written out anew."""

    def fits(t: float, g: float) -> bool:
        if distance in ("ip", "cosine"):
            s, r = (1 - g, 1 - t) if distance == "cosine" else (-g, -t)
            return t == g or r >= s - share * abs(s) - 1e-12 * abs(s)
        return t == g or t <= g * (1 + share) + 1e-12 * g

    slots: list[float | None] = [*found, *[None] * len(true)]
    return max(
        sum(t is not None and fits(t, g) for t, g in zip(order, true, strict=True))
        for order in permutations(slots, len(true))
    )


values = st.sampled_from([-0.9, -0.5, -0.45, -0.1, 0.0, 0.1, 0.105, 0.11, 0.5, 0.52, 1.0]) | st.floats(-1, 1)


@given(
    st.sampled_from(["l2", "l1", "ip", "cosine"]),
    st.lists(values, min_size=1, max_size=3),
    st.lists(values, max_size=3),
    st.sampled_from([0.0, 0.01, 0.1, 0.5, 1.0]),
)
def test_the_pass_equals_brute_force(distance: str, true: list[float], found: list[float], share: float) -> None:
    if distance in ("l2", "l1"):
        true, found = [abs(d) for d in true], [abs(d) for d in found]
    limits = furthest(distance, np.array([sorted(true)]), share)
    (count,) = largest_matching(np.array([sorted(found)], np.float64), limits).tolist()
    assert count == brute_force(sorted(true), found, distance, share)


def test_the_matching_of_nothing() -> None:
    none = np.empty((2, 0))
    assert largest_matching(none, np.ones((2, 3))).tolist() == [0, 0]
    assert largest_matching(np.ones((2, 3)), none).tolist() == [0, 0]
    assert largest_matching(np.array([[1.0, np.inf]]), np.array([[np.nan, -np.inf, 2.0, 3.0]])).tolist() == [1]
