"""The front is what nothing beats, and the knee is where the next step stops paying."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from truerecall.kernels.pareto import knee, pareto_front

points = st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6)), min_size=1, max_size=12)


@given(points)
def test_front_equals_the_definition(pairs: list[tuple[int, int]]) -> None:
    cost, quality = (np.array(side, float) for side in zip(*pairs, strict=True))
    twin = {
        i
        for i, (c, q) in enumerate(pairs)
        if not any((d <= c and r >= q) and (d < c or r > q) for d, r in pairs)
    }  # fmt: skip
    front = pareto_front(cost, quality)
    assert set(front) == twin
    assert len(front) == len(twin)
    assert all(cost[a] <= cost[b] for a, b in pairwise(front))


def test_nothing_in_nothing_out() -> None:
    assert pareto_front(np.array([]), np.array([])) == []


def test_knee_by_hand() -> None:
    """Costs that double each time are evenly spaced: heights 0, 0.8 - 1/3, 0.95 - 2/3, 0."""
    assert knee(np.array([1.0, 2.0, 4.0, 8.0]), np.array([0.5, 0.9, 0.975, 1.0])) == 1


def test_only_the_ratio_of_costs_counts() -> None:
    cost, quality = np.array([1.0, 3.0, 4.0, 9.0]), np.array([0.5, 0.9, 0.975, 1.0])
    assert knee(cost, quality) == knee(cost * 1e-5, quality) == 2
    assert knee(np.array([1.0, 2.0, 8.0, 9.0]), quality) == 1


def test_no_knee() -> None:
    quality = np.array([0.0, 0.5, 1.0])
    assert knee(np.array([1.0, 2.0]), np.array([0.5, 0.9])) is None
    assert knee(np.array([1.0, 2.0, 4.0]), quality) is None, "on the chord"
    assert knee(np.array([1.0, 3.0, 4.0]), quality) is None, "below the chord"
    assert knee(np.array([0.0, 1.0, 4.0]), quality) is None, "a cost of nothing has no logarithm"
    assert knee(np.array([2.0, 2.0, 2.0]), np.array([0.5, 0.5, 0.5])) is None
