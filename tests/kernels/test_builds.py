"""Variance over queries and builds: the values on record, components that were put in, and resampling as a twin."""

from __future__ import annotations

import numpy as np
import pytest

from truerecall.kernels.builds import satterthwaite, spread_of_means, t_interval, t_p, variance_of_difference

RECORDED = np.array([0.973862, 0.972478, 0.972676])  # H23


def test_h23_three_builds() -> None:
    mean, sd = spread_of_means(RECORDED)
    assert mean == pytest.approx(0.973005, abs=5e-7)
    assert sd == pytest.approx(0.000748, abs=5e-7)
    assert spread_of_means(RECORDED[:1]) == (RECORDED[0], None)


def test_h23_one_other_build_is_within_their_spread() -> None:
    hardness = np.random.default_rng(0).normal(0, 0.1, 500)
    first = RECORDED[:, None] + hardness - hardness.mean()
    second = np.full((1, 500), 0.9737) + hardness - hardness.mean()
    over_queries, over_builds, over_n, over_b = variance_of_difference(first, second)
    assert over_queries == pytest.approx(0, abs=1e-12)
    assert over_builds == pytest.approx(0.000748**2 * (1 + 1 / 3), rel=2e-3)
    assert t_p(0.9737 - 0.973005, over_builds, satterthwaite((over_queries, over_builds), (over_n, over_b))) > 0.3


def test_the_components_come_back() -> None:
    random, n, count = np.random.default_rng(1), 4000, 40
    hardness = random.normal(0, 0.2, n)
    first, second = (
        hardness + random.normal(0, 0.1, n) + random.normal(0, 0.05, (count, 1)) + random.normal(0, 0.3, (count, n))
        for _ in range(2)
    )
    over_queries, over_builds, over_n, over_b = variance_of_difference(first, second)
    assert over_queries == pytest.approx(2 * 0.1**2 / n, rel=0.3)
    assert over_builds == pytest.approx(2 * (0.05**2 + 0.3**2 / n) / count, rel=0.3)
    assert (over_n, over_b) == (n - 1, 2 * (count - 1))


def test_resampling_builds_and_queries_gives_the_same_spread() -> None:
    random, n, count = np.random.default_rng(2), 60, 30
    first, second = (random.normal(0, 0.1, (1, n)) + random.normal(0, 0.02, (count, 1)) for _ in range(2))
    over_queries, over_builds, *_ = variance_of_difference(first, second)
    drawn = []
    for _ in range(4000):
        asked, one, other = (
            random.integers(n, size=n),
            random.integers(count, size=count),
            random.integers(count, size=count),
        )
        drawn.append(second[np.ix_(other, asked)].mean() - first[np.ix_(one, asked)].mean())
    assert over_queries + over_builds == pytest.approx(np.var(drawn), rel=0.15)


def test_t() -> None:
    assert t_interval(0.0, 1.0, 2.0)[1] == pytest.approx(4.3027, abs=1e-4)
    assert t_p(4.302653, 1.0, 2.0) == pytest.approx(0.05, abs=1e-6)
    assert (t_p(0.0, 0.0, 2.0), t_p(0.1, 0.0, 2.0)) == (1.0, 0.0)
    assert satterthwaite((1.0, 0.0), (9.0, 2.0)) == 9.0
    assert satterthwaite((0.0, 0.0), (9.0, 2.0)) == 2.0
