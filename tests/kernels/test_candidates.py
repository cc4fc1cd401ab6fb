"""The float32 scan: the bound holds against rational arithmetic, for friendly and for nasty vectors."""

from __future__ import annotations

import math
from fractions import Fraction
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
    if geometry.distance == "l1":
        return -float(sum(abs(Fraction(float(a)) - Fraction(float(b))) for a, b in zip(x, q, strict=True)))
    if geometry.distance == "ip":
        return float(exact_dot(x, q) - exact_dot(geometry.centre, q))
    if geometry.distance == "cosine":
        length = math.sqrt(exact_dot(q, q))
        cosine = float(exact_dot(x, q)) / math.sqrt(exact_dot(x, x) * exact_dot(q, q))
        return cosine - float(exact_dot(geometry.centre, q)) / length
    from_centre = exact_squared_distance(q, geometry.centre)
    return float((from_centre - exact_squared_distance(x, q)) / 2)


@settings(max_examples=150)
@given(
    st.sampled_from(("l2", "ip", "cosine", "l1")),
    st.sampled_from(SHAPES),
    st.sampled_from(("float32", "float64")),
    st.integers(1, 70),
    st.integers(0, 2**32 - 1),
)
def test_the_true_similarity_lies_between_the_bounds(
    distance: str, shape: str, dtype: str, dimensions: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    x, q = vectors(shape, 6, dimensions, dtype, rng), vectors(shape, 3, dimensions, dtype, rng)
    if distance == "cosine" and shape == "tiny":
        x, q = x * 1e20, q * 1e20
    geometry = Geometry.around(distance, x, q)
    rows, queries = geometry.rows(x), geometry.queries(q)
    room = np.empty((len(q), len(x)), np.float32)
    numbers, slack = geometry.numbers(queries.vectors, rows, room), geometry.slack(queries, rows.longest)
    for i in range(len(q)):
        for j in range(len(x)):
            true = true_similarity(geometry, x[j], q[i])
            rounding = 4e-16 * (abs(true) + 1.0) if distance == "cosine" else 0.0
            assert true <= float(numbers[i, j]) + slack[i] + rounding
            assert true >= float(numbers[i, j]) - 2 * rows.own[j] - slack[i] - rounding


def test_the_bound_is_worth_having() -> None:
    rng = np.random.default_rng(1)
    x, q = rng.standard_normal((100, 96)).astype(np.float32), rng.standard_normal((5, 96)).astype(np.float32)
    for distance in ("l2", "ip", "cosine", "l1"):
        geometry = Geometry.around(distance, x, q)
        rows, queries = geometry.rows(x), geometry.queries(q)
        scale = 1.0 if distance == "l1" else float(queries.lengths.max())
        assert geometry.slack(queries, rows.longest).max() <= 100 * 2.0**-24 * scale * max(
            queries.longest, rows.longest
        )


def test_an_outlying_row_does_not_widen_the_bound_of_others() -> None:
    rng = np.random.default_rng(1)
    x, q = rng.standard_normal((100, 16)).astype(np.float32), rng.standard_normal((2, 16)).astype(np.float32)
    geometry = Geometry.around("l2", x, q)
    calm = geometry.rows(x)
    x[0] *= 1e6
    disturbed = geometry.rows(x)
    assert (calm.vectors[1:] == disturbed.vectors[1:]).all()
    assert geometry.slack(geometry.queries(q), disturbed.longest) == pytest.approx(
        geometry.slack(geometry.queries(q), 1.0)
    )


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
    queries, rows, found = reaching(numbers, np.array([3, 2], np.float32), np.empty((2, 3), np.bool_))
    pairs = list(zip(queries.tolist(), rows.tolist(), found.tolist(), strict=True))
    assert pairs == [(0, 1, 5.0), (0, 2, 3.0), (1, 0, 2.0), (1, 1, 2.0)]
