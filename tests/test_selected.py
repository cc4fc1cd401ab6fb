"""Some rows of another source, in blocks of any size and picked in any order."""

from __future__ import annotations

import numpy as np
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
