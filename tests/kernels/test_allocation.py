"""How many are drawn from each stratum: values by hand, and what holds for all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.kernels.allocation import equal, equal_quotas, fixed, proportional

HELD = st.lists(st.integers(0, 10**12), min_size=1, max_size=12).filter(any)


@pytest.mark.parametrize(
    ("held", "n", "asked", "drawn"),
    [
        ([100, 100, 100], 30, [10, 10, 10], [10, 10, 10]),
        ([100, 200, 100], 31, [10, 11, 10], [10, 11, 10]),
        ([4, 200, 100], 30, [10, 10, 10], [4, 13, 13]),
        ([4, 200, 9], 30, [10, 10, 10], [4, 17, 9]),
        ([4, 5, 6], 40, [13, 13, 14], [4, 5, 6]),
        ([7, 9], 1, [0, 1], [0, 1]),
        ([5, 5], 1, [1, 0], [1, 0]),
    ],
)
def test_equal_parts(held: list[int], n: int, asked: list[int], drawn: list[int]) -> None:
    assert equal_quotas(np.array(held), n).tolist() == asked
    assert equal(np.array(held), n).tolist() == drawn


@pytest.mark.parametrize(
    ("held", "n", "drawn"),
    [
        ([600, 300, 100], 10, [6, 3, 1]),
        ([465, 4506, 29], 40, [4, 36, 0]),
        ([1, 1, 1], 2, [1, 1, 0]),
        ([3, 3], 6, [3, 3]),
        ([2, 1], 9, [2, 1]),
        ([0, 5], 3, [0, 3]),
        ([2, 1], 0, [0, 0]),
    ],
)
def test_proportional_parts_by_largest_remainders(held: list[int], n: int, drawn: list[int]) -> None:
    assert proportional(np.array(held), n).tolist() == drawn


def test_a_fixed_count() -> None:
    assert fixed(np.array([100, 29, 40]), 40).tolist() == [40, 29, 40]


@given(held=HELD, n=st.integers(0, 10**13))
def test_never_more_than_a_stratum_holds_and_the_sum_is_right(held: list[int], n: int) -> None:
    counts = np.array(held, np.int64)
    for allocate in (equal, proportional):
        drawn = allocate(counts, n)
        assert (drawn >= 0).all()
        assert (drawn <= counts).all()
        assert drawn.sum() == min(n, sum(held))
        assert (allocate(counts, n) == drawn).all()
    assert equal_quotas(counts, n).sum() == n


@given(held=HELD, n=st.integers(1, 10**13))
def test_equal_parts_differ_by_one_unless_a_stratum_is_empty(held: list[int], n: int) -> None:
    counts = np.array(held, np.int64)
    drawn = equal(counts, n)
    most = int(drawn.max())
    assert all(own >= most - 1 for own, all_held in zip(drawn.tolist(), held, strict=True) if own < all_held)


@given(held=HELD, n=st.integers(1, 10**13))
def test_proportional_parts_are_less_than_one_off(held: list[int], n: int) -> None:
    counts = np.array(held, np.int64)
    n = min(n, sum(held))
    for own, drawn in zip(held, proportional(counts, n).tolist(), strict=True):
        assert abs(drawn * sum(held) - n * own) < sum(held)
