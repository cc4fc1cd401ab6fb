"""The float32 scan: the bound holds against rational arithmetic, for friendly and for nasty vectors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.twins import exact_dot, exact_squared_distance
from truerecall.kernels.candidates import Geometry, guessed_cuts, reaching

SHAPES = ("normal", "far", "outlying-row", "outlying-dimension", "tiny", "huge", "cancelling")


def vectors(shape: str, count: int, dimensions: int, dtype: str, rng: np.random.Generator) -> NDArray[Any]:
    x = rng.standard_normal((count, dimensions))
    if shape == "far":
        x += 1e4
    elif shape == "outlying-row":
        x[0] *= 1e5
    elif shape == "outlying-dimension":
        x[:, 0] *= 1e4
    elif shape == "tiny":
        x *= 1e-30
    elif shape == "huge":
        x *= 1e12
    elif shape == "cancelling":
        x = np.sign(x) * 3e3 + x * 1e-3
    return x.astype(dtype)


def true_similarity(geometry: Geometry, x: NDArray[Any], q: NDArray[Any]) -> float:
    """The similarity in rational arithmetic; the lengths of cosine in float64 with room to spare."""
    if geometry.distance == "ip":
        return float(exact_dot(x, q))
    if geometry.distance == "cosine":
        return float(exact_dot(x, q)) / math.sqrt(exact_dot(x, x) * exact_dot(q, q))
    from_centre = exact_squared_distance(q, geometry.centre)
    return float((from_centre - exact_squared_distance(x, q)) / 2)


@settings(max_examples=150)
@given(
    st.sampled_from(("l2", "ip", "cosine")),
    st.sampled_from(SHAPES),
    st.sampled_from(("float32", "float64")),
    st.integers(1, 70),
    st.integers(0, 2**32 - 1),
)
def test_no_true_similarity_exceeds_the_computed_number_plus_the_slack(
    distance: str, shape: str, dtype: str, dimensions: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    x, q = vectors(shape, 6, dimensions, dtype, rng), vectors(shape, 3, dimensions, dtype, rng)
    if distance == "cosine" and shape == "tiny":
        x, q = x * 1e20, q * 1e20
    geometry = Geometry.around(distance, x, q)
    rows, own, longest = geometry.rows(x)
    entered, lengths = geometry.queries(q)
    numbers, slack = entered @ rows.T, geometry.slack(lengths, longest)
    for i in range(len(q)):
        for j in range(len(x)):
            true = true_similarity(geometry, x[j], q[i])
            assert true <= float(numbers[i, j]) + slack[i]
            assert true >= float(numbers[i, j]) - 2 * own[j] - slack[i]
            # And it is a bound worth having: of the order of d u times the square of the lengths.
            assert slack[i] <= geometry.growth * (lengths[i] ** 2 + longest**2) * max(1, 1 / geometry.balance) + 1e-30


def test_an_outlying_row_does_not_widen_the_bound_of_others() -> None:
    rng = np.random.default_rng(1)
    x, q = rng.standard_normal((100, 16)).astype(np.float32), rng.standard_normal((2, 16)).astype(np.float32)
    calm = Geometry.around("l2", x, q)
    rows, _, _ = calm.rows(x)
    x[0] *= 1e6
    disturbed, _, longest = calm.rows(x)
    assert (rows[1:] == disturbed[1:]).all()
    _, lengths = calm.queries(q)
    assert calm.slack(lengths, longest) == pytest.approx(calm.slack(lengths, 1.0))


def test_similarity_of_keys_is_the_similarity() -> None:
    rng = np.random.default_rng(2)
    x, q = rng.standard_normal((1, 8)), rng.standard_normal((1, 8))
    for distance, key in (
        ("l2", float(exact_squared_distance(x[0], q[0]))),
        ("ip", -float(exact_dot(x[0], q[0]))),
    ):
        geometry = Geometry.around(distance, x, q)
        similarity = geometry.similarity_of_keys(np.array([key]), q)
        assert similarity[0] == pytest.approx(true_similarity(geometry, x[0], q[0]), rel=1e-12)


def test_the_guess_lets_k_rows_through() -> None:
    rng = np.random.default_rng(3)
    numbers = rng.standard_normal((50, 100_000)).astype(np.float32)
    guess = guessed_cuts(numbers[:, ::25], numbers.shape[1], 100)
    passing = (numbers >= guess[:, None]).sum(axis=1)
    assert (passing >= 100).all()
    assert passing.mean() < 600


def test_reaching_names_every_pair_at_or_above_its_threshold() -> None:
    numbers = np.array([[1, 5, 3], [2, 2, 0]], np.float32)
    queries, rows, found = reaching(numbers, np.array([3, 2], np.float32))
    pairs = list(zip(queries.tolist(), rows.tolist(), found.tolist(), strict=True))
    assert pairs == [(0, 1, 5.0), (0, 2, 3.0), (1, 0, 2.0), (1, 1, 2.0)]
