"""Percentiles are observed values, and only where enough calls stand behind them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.kernels.quantiles import percentile


@given(st.integers(1_000, 1_100), st.integers(0, 2**32), st.sampled_from([50, 95, 99]))
def test_the_smallest_value_that_enough_do_not_exceed(n: int, seed: int, percent: int) -> None:
    values = np.random.default_rng(seed).exponential(size=n).round(1)
    ordered = sorted(values)
    twin = next(v for place, v in enumerate(ordered, 1) if place * 100 >= percent * len(values))
    assert percentile(values, percent) == twin


@pytest.mark.parametrize(("percent", "least"), [(50, 1), (95, 100), (99, 1_000)])
def test_too_few_calls_give_none(percent: int, least: int) -> None:
    assert percentile(np.arange(least - 1.0), percent) is None
    assert percentile(np.arange(float(least)), percent) is not None


def test_by_hand() -> None:
    assert percentile(np.array([4.0, 1.0, 3.0, 2.0]), 50) == 2.0
    assert percentile(np.arange(1.0, 101.0), 95) == 95.0
