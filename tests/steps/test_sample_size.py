"""How many queries a claim needs, from pilots whose spread is known by hand."""

from __future__ import annotations

import math

import pytest

from tests.nouns import run_of, truth_of
from truerecall.errors import InputError
from truerecall.steps.sample_size import Spread, for_half_width, spread_of, spread_of_differences, to_detect

TRUTH = truth_of([[0, 1], [2, 3], [4, 5], [6, 7]])
HALF = run_of([[0, 1], [2, 9], [4, 9], [6, 7]], k=2)  # 1, .5, .5, 1
LESS = run_of([[0, 1], [2, 9], [9, 8], [6, 9]], k=2)  # 1, .5, 0, .5
PERFECT = run_of([[0, 1], [2, 3], [4, 5], [6, 7]], k=2)


def test_the_values_on_record() -> None:
    assert for_half_width(0.01, Spread(0.177, "by hand")).queries == 1204
    assert to_detect(0.005, Spread(0.05, "by hand")).queries == 785


def test_the_spread_of_a_pilot() -> None:
    alone = spread_of([HALF], TRUTH)
    assert alone.sd == pytest.approx(math.sqrt(1 / 12))  # four values a quarter off their mean, divided by three
    assert alone.source == "recall@2 over 4 queries of the pilot"
    both = spread_of([HALF, LESS], TRUTH)
    assert both.sd == pytest.approx(math.sqrt(0.5 / 3))
    assert "the widest of 2 runs" in both.source


def test_two_pilots_are_paired_and_one_is_assumed_to_be_alone() -> None:
    paired = spread_of_differences([HALF, LESS], TRUTH)  # differences 0, 0, .5, .5
    assert paired.sd == pytest.approx(math.sqrt(1 / 12))
    assert paired.assumed is None
    shuffled = run_of([[6, 9], [9, 8], [2, 9], [0, 1]], k=2, query_ids=[3, 2, 1, 0])
    assert spread_of_differences([HALF, shuffled], TRUTH).sd == paired.sd
    alone = spread_of_differences([HALF], TRUTH)
    assert alone.sd == pytest.approx(math.sqrt(2 / 12))
    assert alone.assumed is not None
    with pytest.raises(InputError, match="3 pilot runs"):
        spread_of_differences([HALF, LESS, PERFECT], TRUTH)


def test_where_all_are_perfect_the_rule_of_three_holds() -> None:
    needed = for_half_width(0.01, spread_of([PERFECT], TRUTH))
    assert (needed.queries, needed.formula) == (300, "3 / h (rule of three)")
    with pytest.raises(InputError, match="all queries agree"):
        to_detect(0.01, spread_of([PERFECT], TRUTH))


@pytest.mark.parametrize("share", [0, -0.1, 1, float("nan")])
def test_a_claim_is_a_share(share: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        for_half_width(share, Spread(0.1, "by hand"))
    with pytest.raises(InputError, match="between 0 and 1"):
        to_detect(share, Spread(0.1, "by hand"))


@pytest.mark.parametrize(("sd", "words"), [(-1, "above 0"), (float("inf"), "above 0"), (0, "all queries agree")])
def test_a_spread_is_a_number_above_zero(sd: float, words: str) -> None:
    with pytest.raises(InputError, match=words):
        for_half_width(0.01, Spread(sd, "by hand"))


def test_a_pilot_of_one_query_tells_nothing() -> None:
    with pytest.raises(InputError, match="1 queries"):
        spread_of([run_of([[0]], k=1)], truth_of([[0]]))
