"""The shape of vectors: values worked by hand, and laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.kernels.shape import (
    local_dimensions,
    occurrences,
    relative_contrast,
    shuffled,
    skewness,
)


def test_the_local_intrinsic_dimension_of_a_worked_example() -> None:
    # -1 / ((ln 1/4 + ln 1/2 + 0) / 3) = 3 / (3 ln 2)
    assert local_dimensions(np.array([[1.0, 2, 4]])).round(3).tolist() == [1.443]


@pytest.mark.parametrize("distances", [[0.0, 1, 2], [2.0, 2, 2], [0.0, 0, 0], [1.0]])
def test_it_is_undefined_where_a_copy_is_nearest_or_all_are_equally_far(distances: list[float]) -> None:
    assert np.isnan(local_dimensions(np.array([distances]))).all()


def test_it_finds_the_dimension_of_points_spread_evenly() -> None:
    # In d dimensions the i-th of k nearest of evenly spread points lies at (i / k)^(1 / d).
    places = np.arange(1, 10_001) / 10_000
    for dimension in (1, 3, 12):
        found = local_dimensions(places[None, :] ** (1 / dimension))
        assert found[0] == pytest.approx(dimension, rel=0.01)


@given(st.lists(st.floats(0.01, 100), min_size=3, max_size=9, unique=True), st.floats(0.01, 100))
def test_it_does_not_depend_on_the_scale(values: list[float], scale: float) -> None:
    distances = np.sort(np.array([values]), axis=1)
    assert local_dimensions(distances * scale) == pytest.approx(local_dimensions(distances), rel=1e-6)


def test_the_relative_contrast_of_a_worked_example() -> None:
    assert relative_contrast(np.array([10.0, 12]), np.array([2.0, 4])) == pytest.approx(3.667, abs=5e-4)
    assert np.isnan(relative_contrast(np.array([1.0]), np.array([0.0])))


def test_hubs_of_a_worked_example() -> None:
    lists = np.array([[0, 1], [0, 1], [0, 2], [0, 3]])
    counts = occurrences(lists, 8)
    assert counts.tolist() == [4, 2, 1, 1, 0, 0, 0, 0]
    assert skewness(counts) == pytest.approx(1.296, abs=5e-4)
    assert (counts == 0).mean() == 0.5
    assert np.isnan(skewness(np.array([3, 3, 3])))


def test_shuffling_keeps_every_dimension_and_breaks_their_ties() -> None:
    line = np.repeat(np.arange(1000.0)[:, None], 3, axis=1)
    mixed = shuffled(line, np.random.default_rng(0))
    assert (np.sort(mixed, axis=0) == line).all()
    assert np.abs(np.corrcoef(mixed.T) - np.eye(3)).max() < 0.1
    assert (mixed == shuffled(line, np.random.default_rng(0))).all()
    assert (mixed != shuffled(line, np.random.default_rng(1))).any()
