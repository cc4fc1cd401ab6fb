"""Intervals of what is no plain mean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.kernels.ratios import bootstrap_interval, wilson_interval


def test_the_interval_of_a_share_of_a_worked_example() -> None:
    found = wilson_interval(951, 1000)
    assert found is not None
    assert [round(end, 3) for end in found] == [0.936, 0.963]
    assert wilson_interval(0, 0) is None


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_share_lies_in_its_interval_which_is_never_of_no_width(pair: tuple[int, int]) -> None:
    hits, n = pair
    found = wilson_interval(hits, n)
    assert found is not None
    low, high = found
    assert 0 <= low <= hits / n <= high <= 1
    assert low < high
    assert (low == 0) == (hits == 0)
    assert (high == 1) == (hits == n)


def ratio(above: np.ndarray, below: np.ndarray) -> float:
    return float(above.mean() / below.mean())


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    random = np.random.default_rng(0)
    above, below = random.random(50) + 1, random.random(70) + 1
    first = bootstrap_interval(ratio, above, below, seed=1)
    assert first == bootstrap_interval(ratio, above, below, seed=1)
    assert first != bootstrap_interval(ratio, above, below, seed=2)
    assert first is not None
    assert first[0] < ratio(above, below) < first[1]


def test_the_interval_holds_the_true_ratio_in_95_of_100_cases() -> None:
    random = np.random.default_rng(0)
    held = 0
    for number in range(200):
        found = bootstrap_interval(ratio, random.random(60) + 1, random.random(60), seed=number, draws=400)
        assert found is not None
        held += found[0] <= 3.0 <= found[1]
    assert 0.89 <= held / 200 <= 0.99


@pytest.mark.parametrize("below", [[1.0], [0.0, 0.0, 0.0]])
def test_where_nothing_can_be_said_there_is_no_interval(below: list[float]) -> None:
    def guarded(above: np.ndarray, below: np.ndarray) -> float:
        return float(above.mean() / below.mean()) if below.mean() else float("nan")

    assert bootstrap_interval(guarded, np.ones(5), np.array(below), seed=0) is None
