"""Hits are those of plain sets, and counting them is fast."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.nouns import padded
from truerecall.kernels.overlap import listed, overlap

codes = st.integers(0, 12)
rows = st.integers(1, 5).flatmap(
    lambda n: st.tuples(
        st.lists(st.lists(codes, max_size=8, unique=True), min_size=n, max_size=n),
        st.lists(st.lists(codes, max_size=9), min_size=n, max_size=n),
    )
)


@given(rows, st.integers(1, 10))
def test_equals_a_plain_set_twin(pair: tuple[list[list[int]], list[list[int]]], k: int) -> None:
    truth, found = pair
    before = padded(truth), padded(found)
    given_truth, given_found = before[0].copy(), before[1].copy()
    hits, true = overlap(given_truth, given_found, k)
    assert hits.tolist() == [len(set(t[:k]) & set(f[:k])) for t, f in zip(truth, found, strict=True)]
    assert true.tolist() == [len(t[:k]) for t in truth]
    assert np.array_equal(given_truth, before[0])
    assert np.array_equal(given_found, before[1])


@given(rows)
def test_listed_equals_a_plain_twin(pair: tuple[list[list[int]], list[list[int]]]) -> None:
    truth, lists = pair
    marks = listed(padded(truth), tuple(np.array(sorted(set(row)), np.int64) for row in lists))
    for place, row in enumerate(truth):
        expected = [code in lists[place] for code in row]
        assert marks[place].tolist() == expected + [False] * (marks.shape[1] - len(row))


def test_padding_never_matches_padding() -> None:
    hits, true = overlap(np.array([[5, -1, -1]]), np.array([[9, -1, -1]]), 3)
    assert (hits.tolist(), true.tolist()) == ([0], [1])


def test_a_repeat_does_not_make_room_for_later_places() -> None:
    hits, _ = overlap(np.array([[1, 2]]), np.array([[1, 1, 2]]), 2)
    assert hits.tolist() == [1]
