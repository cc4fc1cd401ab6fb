"""What a quality costs: at measured points, between them, and never beyond."""

from __future__ import annotations

import numpy as np
import pytest

from truerecall.kernels.interpolation import cost_at

COSTS, QUALITIES = np.array([1.0, 4.0, 16.0]), np.array([0.8, 0.9, 0.95])


@pytest.mark.parametrize(
    ("quality", "cost"), [(0.8, 1.0), (0.85, 2.0), (0.9, 4.0), (0.925, 8.0), (0.95, 16.0), (0.79, None), (0.96, None)]
)
def test_between_points_the_logarithm_of_the_cost_is_straight(quality: float, cost: float | None) -> None:
    assert cost_at(quality, COSTS, QUALITIES) == (None if cost is None else pytest.approx(cost))


def test_no_curve_costs_nothing_known() -> None:
    assert cost_at(0.9, COSTS[:0], QUALITIES[:0]) is None
