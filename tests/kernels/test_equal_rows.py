"""Groups of equal rows against a dictionary."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from truerecall.kernels.equal_rows import equal_rows, group_sizes
from truerecall.kernels.fingerprint import row_digests


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40))
def test_groups(values: list[int]) -> None:
    found = equal_rows(row_digests(np.array(values, np.float32)[:, None]))
    assert found.first.tolist() == [values.index(value) for value in values]
    assert found.counts.tolist() == [values.count(value) for value in values]


@given(st.lists(st.integers(0, 5), max_size=60))
def test_groups_of_equal_rows_are_those_that_a_counter_finds(values: list[int]) -> None:
    rows = np.array(values, np.int16).reshape(-1, 1)
    expected = sorted((n for n in Counter(values).values() if n > 1), reverse=True)
    digests = row_digests(rows) if len(rows) else np.empty(0, "V16")
    assert group_sizes(digests).tolist() == expected
