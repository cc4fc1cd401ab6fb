"""Near copies against a twin that compares all pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from truerecall.kernels import near_duplicates
from truerecall.kernels.near_duplicates import Sketch, later_near_duplicates


def found(rows: NDArray[Any], tolerance: float, seed: int = 0) -> NDArray[np.bool_]:
    buckets = Sketch(rows.shape[1], tolerance, seed).buckets(rows)
    return later_near_duplicates(buckets, tolerance, lambda places: rows[places])


def all_pairs(rows: NDArray[Any], tolerance: float) -> NDArray[np.bool_]:
    distances = np.sqrt(((rows[:, None] - rows[None]) ** 2).sum(axis=2))
    return np.asarray(np.triu(distances <= tolerance, 1))


def test_chosen_rows() -> None:
    rows = np.array([[0.0, 0], [5, 5], [0, 0.009], [5, 5.02], [0.008, 0], [-7, 1]])
    assert found(rows, 0.01).tolist() == [False, False, True, False, True, False]


def test_a_chain_does_not_swallow_its_end() -> None:
    rows = np.array([[0.0], [0.9], [1.8]])  # the last is near the second alone, which is dropped
    assert found(rows, 1.0).tolist() == [False, True, False]


@given(seed=st.integers(0, 2**32 - 1), dimensions=st.integers(1, 20), spread=st.sampled_from([0.0, 1e-3, 1.0, 1e6]))
def test_what_is_dropped_is_near_something_earlier(seed: int, dimensions: int, spread: float) -> None:
    random = np.random.default_rng(seed)
    rows = 1e4 + spread * random.normal(size=(60, dimensions))
    rows[40:] = rows[:20] + 0.005 * random.normal(size=(20, dimensions)) / np.sqrt(dimensions)
    dropped = found(rows, 0.01, seed % 7)
    assert not (dropped & ~all_pairs(rows, 0.01).any(axis=0)).any()


def test_nearly_all_near_pairs_are_found() -> None:
    random = np.random.default_rng(3)
    rows = random.normal(size=(4000, 24))
    step = random.normal(size=(2000, 24))
    rows[2000:] = rows[:2000] + 0.01 * step / np.linalg.norm(step, axis=1)[:, None] * random.random((2000, 1))
    dropped = found(rows, 0.01)
    assert not dropped[:2000].any()
    assert dropped[2000:].sum() >= 1990


def test_a_bucket_of_many_copies_and_one_of_many_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_duplicates, "PAIRS_AT_ONCE", 2000)
    random = np.random.default_rng(0)
    copies = np.ones((500, 4)) + 1e-5 * random.normal(size=(500, 4))
    others = 0.03 * random.normal(size=(500, 4))  # one bucket, or few, and hardly any near
    rows = np.concatenate([copies, others])
    dropped = found(rows, 0.001)
    assert dropped[1:500].all()
    assert dropped[500:].sum() == 0


def test_far_values_lose_nothing_and_raise_nothing() -> None:
    rows = np.array([[1e100, 0], [1e100, 0.001], [0.0, 0], [0, 0.001]])
    assert found(rows, 0.01)[3]


def test_buckets_of_a_row_depend_on_that_row_alone() -> None:
    rows = np.random.default_rng(1).normal(size=(300, 33))
    sketch = Sketch(33, 0.01, 5)
    parts = [sketch.buckets(rows[start : start + 7]) for start in range(0, 300, 7)]
    assert (np.concatenate(parts) == sketch.buckets(rows)).all()
