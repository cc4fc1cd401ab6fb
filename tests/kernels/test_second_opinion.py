"""The second opinion: right values, roundings that hold against exact arithmetic, and no code of the first."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.twins import exact_dot, exact_squared_distance
from truerecall.kernels import second_opinion
from truerecall.kernels.distances import pair_distances
from truerecall.kernels.second_opinion import Floats, opinions, prepared, tie_bands, unit

DISTANCES = ("l2", "ip", "cosine", "l1")


def seen(distance: str, query: Any, rows: Any, *, exact: bool = False) -> tuple[Floats, Floats]:
    q, x = np.asarray(query), np.asarray(rows)
    return opinions(distance, prepared(distance, q[None])[0], prepared(distance, x), exact=exact)


@pytest.mark.parametrize(
    ("distance", "values"),
    [("l2", [5.0, 0.0]), ("ip", [0.0, -25.0]), ("cosine", [1.0, 0.0]), ("l1", [7.0, 0.0])],
)
def test_values_worked_by_hand(distance: str, values: list[float]) -> None:
    rows = [[4.0, -3.0], [3.0, 4.0]] if distance in ("ip", "cosine") else [[0.0, 0.0], [3.0, 4.0]]
    assert seen(distance, [3.0, 4.0], rows)[0] == pytest.approx(values, abs=1e-15)


def test_bits_that_differ() -> None:
    rows = np.array([[0b11110000, 0], [0b1, 255], [0b1, 254]], np.uint8)
    values, roundings = seen("hamming", np.array([0b1, 255], np.uint8), rows)
    assert (values.tolist(), roundings.tolist()) == ([13.0, 0.0, 1.0], [0.0, 0.0, 0.0])


def test_h10_narrow_integers_are_widened_and_exact() -> None:
    rows = np.array([[-128] * 4, [120] * 4], np.int8)
    values, roundings = seen("l2", np.array([127] * 4, np.int8), rows, exact=True)
    assert (np.square(values).tolist(), roundings.tolist()) == ([260100.0, 196.0], [0.0, 0.0])


@given(st.sampled_from(DISTANCES), st.integers(1, 60), st.sampled_from((1e-30, 1.0, 1e30)), st.integers(0, 2**32 - 1))
def test_the_first_implementation_lies_within_the_rounding(distance: str, d: int, scale: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, query = rng.normal(size=(20, d)) * scale, rng.normal(size=d) * scale
    rows[:3] = query * (1 + np.array([[0.0], [1e-15], [1e-9]]))
    values, roundings = seen(distance, query, rows)
    first = pair_distances(distance, np.broadcast_to(query, rows.shape), rows)
    assert (np.abs(values - first) <= roundings).all()


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_exact_arithmetic_lies_within_the_rounding(d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, q = rng.normal(size=(2, d))
    values, roundings = seen("ip", q, x[None])
    assert abs(Fraction(float(values[0])) + exact_dot(x, q)) <= Fraction(float(roundings[0]))
    values, roundings = seen("l2", q, x[None])
    low, high = Fraction(float(values[0] - roundings[0])), Fraction(float(values[0] + roundings[0]))
    assert low**2 <= exact_squared_distance(x, q) <= high**2


def test_what_is_zero_is_exactly_zero() -> None:
    for distance in ("l2", "l1"):
        values, roundings = seen(distance, [0.1, 0.2], [[0.1, 0.2]])
        assert (values.tolist(), roundings.tolist()) == ([0.0], [0.0])


def test_unit_vectors_of_any_length() -> None:
    wide: NDArray[Any] = np.array([[3e150, 4e150], [3e-150, 4e-150], [0.0, 0.0]])
    assert unit(wide) == pytest.approx(np.array([[0.6, 0.8], [0.6, 0.8], [0, 0]]), abs=1e-15)


def test_tie_bands() -> None:
    assert tie_bands("l2", 2.0, whole=False) == 2e-6
    assert tie_bands("ip", -3.0, whole=False) == 3e-6
    assert tie_bands("l2", 2.0, whole=True) == 0.0
    assert tie_bands("cosine", 0.5, whole=True) == 1e-6


def test_it_shares_no_code_with_the_first() -> None:
    package = Path(second_opinion.__file__).parents[1]
    allowed = {"truerecall.kernels.second_opinion", "truerecall.scan.question"}
    for name in ("kernels/second_opinion.py", "scan/question.py", "scan/second_look.py"):
        tree = ast.walk(ast.parse((package / name).read_text()))
        modules = {node.module or "" for node in tree if isinstance(node, ast.ImportFrom)}
        rooms = ("truerecall.kernels", "truerecall.scan", "truerecall.steps")
        assert {module for module in modules if module.startswith(rooms)} <= allowed, name
