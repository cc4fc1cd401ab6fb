"""The inverse ratio beside its sum written out."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from truerecall.kernels.distance_ratios import inverse_ratio

distances = st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.5])


@given(st.lists(distances, max_size=5), st.lists(distances, max_size=7))
def test_equals_its_sum_written_out(true: list[float], came: list[float]) -> None:
    true, came = sorted(true), sorted(came)
    total = 0.0
    for place, d in enumerate(true):
        other = came[place] if place < len(came) else math.inf
        total += 1.0 if d == other == 0 else math.inf if d == 0 or other == math.inf else other / d
    expected = len(true) / total if total else 0.0
    padded = np.array([[*true, *[np.nan] * (6 - len(true))]])
    answer = np.array([came], np.float64)
    before = answer.copy()
    assert np.allclose(inverse_ratio(answer, padded, np.array([len(true)])), expected)
    assert np.array_equal(answer, before)
