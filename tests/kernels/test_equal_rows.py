"""Groups of equal rows against a dictionary."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from truerecall.kernels.equal_rows import equal_rows
from truerecall.kernels.fingerprint import row_digests


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40))
def test_groups(values: list[int]) -> None:
    found = equal_rows(row_digests(np.array(values, np.float32)[:, None]))
    assert found.first.tolist() == [values.index(value) for value in values]
    assert found.counts.tolist() == [values.count(value) for value in values]
