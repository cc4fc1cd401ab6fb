"""Order within groups, against a plain twin; numbers of groups past 16 bits."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from truerecall.kernels.ranking import kth_largest, order_within, stable_order

FEW_VALUES = st.sampled_from([-np.inf, -2.5, -0.0, 0.0, 1e-30, 3.25, np.inf])
GROUPS = arrays(np.int64, st.integers(0, 60), elements=st.sampled_from([0, 1, 2, 5, 70_000, 70_001]))


@given(groups=GROUPS, k=st.integers(1, 9), values=st.data())
def test_the_kth_largest_of_each_group(groups: np.ndarray, k: int, values: st.DataObject) -> None:
    numbers = values.draw(arrays(np.float32, len(groups), elements=FEW_VALUES))
    found = kth_largest(groups, numbers, k, 70_003)
    for group in (0, 1, 2, 5, 7, 70_000, 70_001, 70_002):
        mine = sorted(numbers[groups == group].tolist(), reverse=True)
        assert found[group] == (mine[k - 1] if len(mine) >= k else -np.inf)


def test_one_group_far_larger_than_the_others() -> None:
    groups = np.repeat([0, 1, 2], [3, 5000, 2])
    values = np.concatenate([[1, 3, 2], np.arange(5000), [9, 8]]).astype(np.float32)
    order = np.random.default_rng(0).permutation(len(groups))
    assert kth_largest(groups[order], values[order], 2, 4).tolist() == [2, 4998, 8, -np.inf]


@given(groups=GROUPS, drawn=st.data())
def test_the_order_of_group_key_and_rank(groups: np.ndarray, drawn: st.DataObject) -> None:
    keys = drawn.draw(arrays(np.float64, len(groups), elements=FEW_VALUES))
    ranks = np.array(drawn.draw(st.permutations(range(len(groups)))), np.int64)
    plain = sorted(range(len(groups)), key=lambda i: (groups[i], keys[i], ranks[i]))
    assert order_within(groups, keys, ranks).tolist() == plain


@given(groups=GROUPS)
def test_equal_groups_stay_as_they_came(groups: np.ndarray) -> None:
    assert stable_order(groups).tolist() == sorted(range(len(groups)), key=lambda i: groups[i])
