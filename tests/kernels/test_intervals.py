"""The method that fits the values, and what each method must give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, bootstrap

from truerecall.kernels.intervals import mean_interval, rule_of_three, split_half
from truerecall.kernels.resampling import bayesian_interval, bca_interval, standard_error, units_of


def test_the_query_is_the_unit() -> None:
    """Recalls eight 1 and two 0 at k = 10: 0.133; the pooled binomial of 100 hits would say 0.040."""
    sums, sizes = units_of(np.repeat([1.0, 0.0], [8, 2]))
    assert standard_error(sums, sizes) == pytest.approx(0.133, abs=5e-4)


def test_near_one_half_an_unseen_query_is_reckoned_with() -> None:
    values = np.array([1.0] * 49 + [0.9])
    interval, method = mean_interval(values, seed=0)
    assert method == "bayesian-bootstrap"
    assert interval is not None
    assert interval[0] < bca_interval(values, seed=0)[0]
    plenty, method = mean_interval(np.tile([1.0, 0.5, 0.0], 200), seed=0)
    assert (plenty is not None, method) == (True, "bca")


def test_of_ones_and_zeros_the_bayesian_bootstrap_is_jeffreys_interval() -> None:
    values = np.repeat([1.0, 0.0], [46, 4])
    found = bayesian_interval(values, np.ones(50), (0.0, 1.0), seed=0, draws=200_000)
    assert found == pytest.approx(beta(46.5, 4.5).ppf([0.025, 0.975]), abs=1e-3)


def test_different_units_and_alike_ones_are_drawn_from_the_same_distribution() -> None:
    alike = np.repeat([0.2, 0.9], [25, 75])
    apart = alike + np.linspace(0, 1e-9, 100)
    ones = np.ones(100)
    bca = [bca_interval(own, ones, seed=0, draws=50_000) for own in (alike, apart)]
    bayesian = [bayesian_interval(own, ones, (0.0, 1.0), seed=0, draws=50_000) for own in (alike, apart)]
    assert bca[0] == pytest.approx(bca[1], abs=2e-3)
    assert bayesian[0] == pytest.approx(bayesian[1], abs=2e-3)


def test_clusters_are_drawn_whole() -> None:
    """Copies of a query say nothing new: 20 queries ten times each are 20 queries."""
    single = np.random.default_rng(3).choice([0.0, 0.5, 1.0], 20)
    copied, clusters = np.repeat(single, 10), np.repeat(np.arange(20), 10)
    plain, _ = mean_interval(single, seed=0)
    whole, _ = mean_interval(copied, seed=0, clusters=clusters)
    alone, _ = mean_interval(copied, seed=0)
    assert plain is not None
    assert whole == pytest.approx(plain)
    assert alone is not None
    assert alone[1] - alone[0] < 0.5 * (plain[1] - plain[0])


def test_clusters_of_other_sizes_against_scipy() -> None:
    random = np.random.default_rng(5)
    clusters = np.repeat(np.arange(40), random.integers(1, 6, 40))
    values = np.clip(random.random(40)[clusters] + 0.2 * random.random(len(clusters)), 0, 1)
    members = [values[clusters == own] for own in range(40)]

    def mean(chosen: np.ndarray, axis: int = -1) -> np.ndarray:
        sums, sizes = np.array([own.sum() for own in members]), np.array([len(own) for own in members])
        return np.asarray(sums[chosen].sum(axis=axis) / sizes[chosen].sum(axis=axis))

    twin = bootstrap((np.arange(40),), mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(0))
    interval = bca_interval(*units_of(values, clusters), seed=1, draws=20_000)
    error = standard_error(*units_of(values, clusters))
    assert error == pytest.approx(twin.standard_error, rel=0.05)
    assert interval == pytest.approx(tuple(twin.confidence_interval), abs=0.15 * error)


def test_one_cluster_has_no_interval() -> None:
    assert mean_interval(np.array([1.0, 0.0]), seed=0, clusters=np.array([4, 4])) == (None, "none")
    assert split_half(np.array([1.0, 0.0]), seed=0, clusters=np.array([4, 4])) is None


def test_all_equal_values_with_other_bounds() -> None:
    assert rule_of_three(0.0, 300, (-1.0, 1.0)) == pytest.approx((-0.01, 0.01))
    assert mean_interval(np.zeros(300), seed=0, bounds=(0.0, np.inf)) == (None, "none")
    mixed, method = mean_interval(np.arange(9.0), seed=0, bounds=(0.0, np.inf))
    assert (mixed is not None, method) == (True, "bca")


def test_split_half() -> None:
    assert split_half(np.array([1.0, 0.0]), seed=0) == 1.0
    assert split_half(np.ones(9), seed=0) == 0.0
    values = np.random.default_rng(0).random(1000)
    found = split_half(values, seed=1)
    assert found == split_half(values[::-1], seed=1)
    assert found != split_half(values, seed=2)
    assert found is not None
    assert 0 < found < 4 * 2 * values.std() / np.sqrt(1000)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.3, 0.9, 1.0]), st.integers(0, 4)), min_size=2, max_size=30),
    st.booleans(),
)
def test_no_interval_is_without_width_or_outside_the_bounds(rows: list[tuple[float, int]], grouped: bool) -> None:
    values, clusters = np.array([v for v, _ in rows]), np.array([c for _, c in rows])
    interval, method = mean_interval(values, seed=0, draws=2_000, clusters=clusters if grouped else None)
    if interval is None:
        assert (method, len(np.unique(clusters)), grouped) == ("none", 1, True)
        return
    assert -1e-12 <= interval[0] < interval[1] <= 1 + 1e-12
    order = np.random.default_rng(1).permutation(len(rows))
    again = mean_interval(values[order], seed=0, draws=2_000, clusters=clusters[order] if grouped else None)
    assert again == (interval, method)


@pytest.mark.parametrize("n", [50, 200])
def test_near_one_it_holds_the_mean_as_often_as_it_says(n: int) -> None:
    """BCa alone holds it in 88 of 100 samples of 200: docs/uncertainty.md."""
    random = np.random.default_rng(11)
    values, shares = np.array([0, 0.5, 0.8, 0.9, 1]), np.array([0.001, 0.002, 0.007, 0.04, 0.95])
    held = 0
    for seed in range(300):
        interval, _ = mean_interval(random.choice(values, n, p=shares), seed=seed, draws=2_000)
        assert interval is not None
        held += interval[0] <= values @ shares <= interval[1]
    assert 0.91 <= held / 300 <= 0.99
