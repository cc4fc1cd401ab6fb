"""Clouds of vectors held against each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.kernels.shift import area_under_curve, mahalanobis, shrunk_covariance

scores = st.lists(st.integers(0, 4), min_size=2, max_size=8)


def test_the_shrunk_covariance_is_that_of_scikit_learn() -> None:
    covariance = pytest.importorskip("sklearn.covariance")
    random = np.random.default_rng(0)
    for n, d in ((200, 4), (30, 40), (500, 1)):
        vectors = random.standard_normal((n, d)) @ random.standard_normal((d, d)) + 3
        mean, own = shrunk_covariance(vectors)
        assert mean == pytest.approx(vectors.mean(axis=0))
        assert own == pytest.approx(covariance.LedoitWolf().fit(vectors).covariance_, rel=1e-9)


def test_equal_vectors_have_no_covariance() -> None:
    mean, covariance = shrunk_covariance(np.ones((5, 2)))
    assert covariance.tolist() == [[0, 0], [0, 0]]
    with pytest.raises(np.linalg.LinAlgError):
        mahalanobis(np.ones((1, 2)), mean, covariance)


def test_mahalanobis_distances_of_a_worked_example() -> None:
    # Twice as wide along the first axis: (4, 0) lies as far as (0, 2).
    found = mahalanobis(np.array([[4.0, 0], [0, 2], [0, 0]]), np.zeros(2), np.diag([4.0, 1.0]))
    assert found.tolist() == [2.0, 2.0, 0.0]


def test_the_area_of_what_can_and_cannot_be_told_apart() -> None:
    assert area_under_curve(np.array([3.0, 4]), np.array([1.0, 2])) == (1.0, (1.0, 1.0))
    area, (low, high) = area_under_curve(np.array([1.0, 1]), np.array([1.0, 1]))
    assert (area, low, high) == (0.5, 0.5, 0.5)
    # Of the four pairs (1, 0) (1, 2) (3, 0) (3, 2) three are in order.
    area, (low, high) = area_under_curve(np.array([1.0, 3]), np.array([0.0, 2]))
    assert area == 0.75
    assert low < 0.75 < high == 1.0


@given(scores, scores)
def test_the_area_is_the_share_of_pairs_in_order(positive: list[int], negative: list[int]) -> None:
    wins = sum((p > n) + (p == n) / 2 for p in positive for n in negative)
    area, (low, high) = area_under_curve(np.array(positive, float), np.array(negative, float))
    assert area == pytest.approx(wins / len(positive) / len(negative))
    assert 0 <= low <= area + 1e-12
    assert area - 1e-12 <= high <= 1


def test_the_interval_holds_the_true_area_in_95_of_100_cases() -> None:
    random = np.random.default_rng(0)
    true = 0.7602499389065233  # Phi(1 / sqrt 2): two normals one apart
    held = 0
    for _ in range(400):
        _, (low, high) = area_under_curve(random.standard_normal(60) + 1, random.standard_normal(80))
        held += low <= true <= high
    assert 0.92 <= held / 400 <= 0.98
