"""Direct float64 distances: right values, and a value that hangs on its own pair alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twins import exact_squared_distance
from truerecall.kernels.distances import order_keys, pair_distances

FORMULAS = ("l2", "ip", "cosine")


def test_right_values_of_one_pair() -> None:
    x, q = np.array([[1.0, 2.0, 3.0]]), np.array([3.0, 2.0, 1.0])
    assert pair_distances("l2", q, x) == np.sqrt(8.0)
    assert pair_distances("ip", q, x) == -10.0
    assert pair_distances("cosine", q, x) == 1 - 10 / 14


def test_parallel_whole_numbers_have_cosine_distance_zero_exactly() -> None:
    rows = np.array([[1, 1], [10, 10], [7, 7]], np.float32)
    assert (pair_distances("cosine", np.array([1, 1], np.float32), rows) == 0.0).all()


@pytest.mark.parametrize(
    ("dtype", "query", "rows", "squares"),
    [
        (np.int8, [127] * 4, [[-128] * 4, [120] * 4], [260100, 196]),
        (np.uint8, [3], [[250]], [61009]),
        (np.float32, [5e6, 3e6], [[5e6 - 500, 3e6 + 700], [5e6 + 4, 3e6 - 6]], [740000, 52]),
    ],
)
def test_widening_before_subtracting(
    dtype: type, query: list[float], rows: list[list[float]], squares: list[int]
) -> None:
    assert order_keys("l2", np.array(query, dtype), np.array(rows, dtype)).tolist() == squares


def test_a_thousand_small_differences() -> None:
    ones, others = np.ones(1000, np.float32), np.full((1, 1000), 1.001, np.float32)
    squared = float(order_keys("l2", ones, others)[0])
    assert squared == pytest.approx(float(exact_squared_distance(others[0], ones)), rel=1e-14)
    assert round(squared, 8) == 0.00100009


@given(st.integers(1, 300), st.integers(1, 2000), st.sampled_from(FORMULAS), st.integers(0, 2**32 - 1))
def test_a_value_depends_on_its_pair_alone(dimensions: int, rows: int, distance: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, dimensions)).astype(np.float32)
    q = rng.standard_normal(dimensions)
    together = order_keys(distance, q, x)
    for row in {0, rows // 2, rows - 1}:
        assert order_keys(distance, q, x[row : row + 1])[0] == together[row]
        assert order_keys(distance, q[None], x[row : row + 1])[0] == together[row]
    assert (order_keys(distance, np.broadcast_to(q, x.shape), x) == together).all()
    assert (order_keys(distance, q, np.asfortranarray(x)) == together).all()
