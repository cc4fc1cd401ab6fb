"""Places are those of plain lists."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.nouns import padded
from truerecall.kernels.overlap import MISS, SPENT, listed, match

codes = st.integers(0, 12)
rows = st.integers(1, 5).flatmap(
    lambda n: st.tuples(
        st.lists(st.lists(codes, max_size=8, unique=True), min_size=n, max_size=n),
        st.lists(st.lists(codes, max_size=9), min_size=n, max_size=n),
    )
)


@given(rows)
def test_listed_equals_a_plain_twin(pair: tuple[list[list[int]], list[list[int]]]) -> None:
    truth, lists = pair
    marks = listed(padded(truth), tuple(np.array(sorted(set(row)), np.int64) for row in lists))
    for place, row in enumerate(truth):
        expected = [code in lists[place] for code in row]
        assert marks[place].tolist() == expected + [False] * (marks.shape[1] - len(row))


@given(rows)
def test_match_equals_a_plain_twin(pair: tuple[list[list[int]], list[list[int]]]) -> None:
    truth, found = pair
    before = padded(truth), padded(found)
    places = match(*before)
    assert np.array_equal(before[0], padded(truth))
    assert np.array_equal(before[1], padded(found))
    for t, f, row in zip(truth, found, places.tolist(), strict=True):
        expected = [SPENT if code in f[:i] else t.index(code) if code in t else MISS for i, code in enumerate(f)]
        assert row == expected + [SPENT] * (len(row) - len(f))


def test_many_queries_are_matched_in_parts() -> None:
    random = np.random.default_rng(0)
    truth, found = random.integers(0, 40, (2, 1100, 6))
    places = match(truth, found)
    for q in (0, 511, 512, 1099):
        assert [i for i in range(6) if places[q, i] >= 0] == [
            i for i in range(6) if found[q, i] in truth[q] and found[q, i] not in found[q, :i]
        ]


def test_padding_never_matches_padding() -> None:
    assert match(np.array([[5, -1, -1]]), np.array([[9, -1, -1]])).tolist() == [[MISS, SPENT, SPENT]]
