"""The order of a plan: every point once in every round, drawn by the seed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.steps.rounds import Visit, build_seed, insertion_order, query_order, rounds

SEEDS = st.integers(0, 2**40)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.integers(1, 4), SEEDS)
def test_every_round_visits_every_build_once_and_every_point_of_it(points: list[int], repeats: int, seed: int) -> None:
    visits = list(rounds(points, repeats, seed))
    assert [visit.repeat for visit in visits] == [repeat for repeat in range(repeats) for _ in points]
    measured = Counter((visit.repeat, visit.build, place) for visit in visits for place in visit.points)
    assert measured == Counter((r, b, p) for r in range(repeats) for b, own in enumerate(points) for p in range(own))


@given(SEEDS)
def test_the_same_seed_gives_the_same_order(seed: int) -> None:
    assert list(rounds([5, 5], 3, seed)) == list(rounds([5, 5], 3, seed))
    assert (query_order(50, seed, 1) == query_order(50, seed, 1)).all()
    assert (insertion_order(50, seed) == insertion_order(50, seed)).all()
    assert build_seed(seed, 2) == build_seed(seed, 2)


def test_another_seed_or_round_gives_another_order() -> None:
    orders = {tuple(rounds([9, 9, 9], 2, seed)) for seed in range(20)}
    assert len(orders) == 20
    first, second = list(rounds([9], 2, 0))
    assert first.points != second.points
    asked = {tuple(query_order(50, seed, repeat).tolist()) for seed in range(5) for repeat in range(5)}
    assert len(asked) == 25
    assert len({tuple(insertion_order(50, seed).tolist()) for seed in range(20)}) == 20


def test_more_repeats_do_not_change_the_rounds_before() -> None:
    assert list(rounds([4, 4], 2, 7)) == list(rounds([4, 4], 5, 7))[:4]


def test_over_rounds_no_point_keeps_its_place() -> None:
    """A point that always came last would meet a machine that grows busier at its busiest."""
    places = np.array([visit.points.index(0) for visit in rounds([10], 200, 3)])
    assert abs(places.mean() - 4.5) < 0.8  # 4.5 with a standard error of 0.2
    assert set(places.tolist()) == set(range(10))


@pytest.mark.parametrize("order", [query_order(1000, 5, 0), insertion_order(1000, 5)])
def test_orders_hold_every_place_once(order: object) -> None:
    assert sorted(np.asarray(order).tolist()) == list(range(1000))


def test_the_first_build_has_the_seed_of_the_plan_and_the_others_each_their_own() -> None:
    seeds = [build_seed(42, number) for number in range(50)]
    assert seeds[0] == 42
    assert len(set(seeds)) == 50
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_a_visit_is_what_it_says() -> None:
    (only,) = rounds([1], 1, 0)
    assert only == Visit(0, 0, (0,))
