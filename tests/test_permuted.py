"""Rows in another order, in blocks of any size, and back by their numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.model.permuted import PermutedSource
from truerecall.model.source import ArraySource


@given(rows=st.integers(1, 120), block=st.integers(1, 130), seed=st.integers(0, 2**32 - 1))
def test_blocks_are_the_rows_in_their_order(rows: int, block: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    whole, order = random.normal(size=(rows, 3)), random.permutation(rows)
    source = PermutedSource(ArraySource(whole, "whole"), order)
    assert (source.name, source.rows, source.dimensions, source.dtype, source.bits) == (
        "whole", rows, 3, whole.dtype, None,
    )  # fmt: skip
    for start in (0, rows // 2, rows):
        read = [(first, vectors.copy()) for first, vectors in source.blocks(block, start)]
        assert [first for first, _ in read] == list(range(start, rows, block))
        assert (np.concatenate([np.empty((0, 3)), *(part for _, part in read)]) == whole[order[start:]]).all()
    wanted = random.permutation(rows)
    assert (source.take(wanted) == whole[order[wanted]]).all()
    assert (whole[source.original(wanted)] == source.take(wanted)).all()


def test_rows_are_picked_in_several_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PermutedSource, "picked_bytes", 200)
    whole, order = np.arange(300.0).reshape(100, 3), np.random.default_rng(0).permutation(100)
    read = list(PermutedSource(ArraySource(whole), order).blocks(4, start=3))
    assert [first for first, _ in read] == list(range(3, 100, 4))
    assert (np.concatenate([vectors for _, vectors in read]) == whole[order[3:]]).all()


def test_what_is_no_row_stays_what_it_is() -> None:
    source = PermutedSource(ArraySource(np.zeros((3, 1))), np.array([2, 0, 1]))
    assert source.original(np.array([0, 3, -1, 2, -9, 1])).tolist() == [2, 3, -1, 1, -9, 0]
