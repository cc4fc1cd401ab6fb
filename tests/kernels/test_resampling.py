"""Intervals: SciPy's BCa as a twin, honest where nothing varies, and the same for the same seed."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap

from truerecall.kernels.intervals import mean_interval, rule_of_three
from truerecall.kernels.resampling import acceleration, bca_interval

RANDOM = np.random.default_rng(7)
SAMPLES = {
    "recall at 10": np.round(RANDOM.beta(8, 1, 500), 1),
    "nearly perfect": np.array([1.0] * 190 + [0.9] * 7 + [0.0] * 3),
    "few queries": np.array([1.0, 0.9, 0.8, 1.0, 0.7, 0.2, 1.0, 1.0]),
    "continuous": RANDOM.random(300),
    "all or nothing": np.repeat([1.0, 0.0], [8, 2]),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_agrees_with_scipy_within_monte_carlo_error(name: str) -> None:
    values = SAMPLES[name]
    draws = 20_000
    twin = bootstrap(
        (values,), np.mean, n_resamples=draws, batch=2_000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    low, high = bca_interval(values, seed=2, draws=draws)
    error = values.std() / np.sqrt(len(values))
    # A percentile at 2.5 % of 20,000 draws wanders by 0.02 standard errors and BCa's bias by 0.01; skew widens that,
    # and a mean of few queries moves in steps.
    step = 0.1 / len(values) if name != "continuous" else 0.0
    tolerance = 0.15 * error + 1.01 * step
    assert abs(low - twin.low) <= tolerance
    assert abs(high - twin.high) <= tolerance


def test_the_query_is_the_unit_not_the_hit() -> None:
    """Eight queries at 1 and two at 0: standard error 0.133; the pooled binomial of 100 hits would say 0.040."""
    low, high = bca_interval(SAMPLES["all or nothing"], seed=0)
    assert high - low > 3 * 0.133
    assert low < 0.8 < high


def test_acceleration_is_the_jackknifes() -> None:
    values = SAMPLES["few queries"]
    left_out = np.array([np.delete(values, place).mean() for place in range(len(values))])
    spread = left_out.mean() - left_out
    assert acceleration(values) == pytest.approx((spread**3).sum() / (6 * (spread**2).sum() ** 1.5))


@pytest.mark.parametrize(
    ("value", "n", "expected"),
    [
        (1.0, 500, (0.994, 1.0)),
        (0.0, 500, (0.0, 0.006)),
        (0.5, 300, (0.495, 0.505)),
        (1.0, 2, (0.0, 1.0)),
    ],
)
def test_all_equal_is_never_of_no_width(value: float, n: int, expected: tuple[float, float]) -> None:
    interval, method = mean_interval(np.full(n, value), seed=0)
    assert interval == pytest.approx(expected)
    assert interval == rule_of_three(value, n)
    assert method == "rule-of-three"


def test_one_query_has_no_interval() -> None:
    assert mean_interval(np.array([0.7]), seed=0) == (None, "none")
    assert mean_interval(np.array([]), seed=0) == (None, "none")


def test_the_seed_decides() -> None:
    values = SAMPLES["continuous"]
    assert bca_interval(values, seed=3) == bca_interval(values, seed=3)
    assert bca_interval(values, seed=3) != bca_interval(values, seed=4)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]), min_size=2, max_size=40))
def test_an_interval_has_width_holds_the_mean_and_ignores_order(values: list[float]) -> None:
    array = np.array(values)
    interval, _ = mean_interval(array, seed=0, draws=2_000)
    assert interval is not None
    low, high = interval
    assert 0 <= low < high <= 1
    assert low - 1e-9 <= array.mean() <= high + 1e-9
    shuffled = np.random.default_rng(1).permutation(array)
    assert mean_interval(shuffled, seed=0, draws=2_000)[0] == interval


def test_it_covers_the_mean_as_often_as_it_says() -> None:
    random = np.random.default_rng(5)
    covered = 0
    for seed in range(300):
        low, high = bca_interval(random.binomial(10, 0.9, 100) / 10, seed=seed, draws=2_000)
        covered += low <= 0.9 <= high
    assert 0.90 <= covered / 300 <= 0.99


def test_many_queries_need_little_memory() -> None:
    values = np.random.default_rng(0).random(20_000)
    tracemalloc.start()
    bca_interval(values, seed=0, draws=2_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6
