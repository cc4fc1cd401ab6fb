"""Some rows of another source, in blocks of any size and picked in any order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.model.selected import SelectedSource
from truerecall.model.source import ArraySource


@given(
    rows=st.integers(1, 120),
    share=st.floats(0.01, 1),
    block=st.integers(1, 130),
    seed=st.integers(0, 2**32 - 1),
)
def test_blocks_are_the_kept_rows(rows: int, share: float, block: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    whole = random.normal(size=(rows, 3))
    kept = np.flatnonzero(random.random(rows) < share)
    source = SelectedSource(ArraySource(whole), kept, "some")
    assert (source.rows, source.dimensions, source.dtype, source.bits) == (len(kept), 3, whole.dtype, None)
    for start in (0, len(kept) // 2, len(kept)):
        read = [(first, vectors.copy()) for first, vectors in source.blocks(block, start)]
        assert [first for first, _ in read] == list(range(start, len(kept), block))
        assert (np.concatenate([np.empty((0, 3)), *(part for _, part in read)]) == whole[kept[start:]]).all()
    wanted = random.permutation(len(kept))
    assert (source.take(wanted) == whole[kept][wanted]).all()


def test_few_rows_are_picked_in_several_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SelectedSource, "picked_bytes", 200)
    whole = np.arange(6000.0).reshape(2000, 3)
    kept = np.arange(5, 2000, 40)
    source = SelectedSource(ArraySource(whole), kept, "some")
    read = list(source.blocks(4, start=3))
    assert [first for first, _ in read] == list(range(3, 50, 4))
    assert {len(vectors) for _, vectors in read[:-1]} == {4}
    assert (np.concatenate([vectors for _, vectors in read]) == whole[kept[3:]]).all()
