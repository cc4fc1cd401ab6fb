"""recall@k against right values worked by hand, and against plain sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.nouns import answers_of
from truerecall.measures.recall import measure
from truerecall.model.measure import NO_TRUE_NEIGHBOUR
from truerecall.model.measure_name import MeasureName

ten = list(range(10))


@pytest.mark.parametrize(
    ("truth", "found", "k", "expected"),
    [
        ([1, 2, 3, 4], [1, 2, 2, -1], 4, 0.5),
        (ten, [0] * 10, 10, 0.1),  # H03: ten times the same point
        ([17], [17], 100, 1.0),  # H13: the divisor is the one eligible row
        ([5, -1, -1], [9, -1, -1], 3, 0.0),  # H13: padding matches nothing
        (list(range(10_000)), list(range(100)), 100, 1.0),  # H16 a: truth wider than k
        (list(range(10_000)), list(range(100, 200)), 100, 0.0),  # H16 b
        (list(range(100)), list(range(40)), 100, 0.4),  # H19: forty came back
        (list(range(100)), list(range(40)), 40, 1.0),
        (list(range(50)), list(range(44)) + [-1] * 6, 50, 0.88),  # H20
        ([0, 8, 5, 2], [0, 5, 8, 2], 4, 1.0),  # H25 b: not position by position
        ([1, 2, 3, 4], [9, 8, 7, 1], 4, 0.25),  # H25 a
        ([1, 2, 3, 4], [9, 8, 7, 1], 1, 0.0),
        ([1, 2, 3], [2, 3, 1], 1, 0.0),  # being among the deeper truth is not enough
        ([1, 2], [], 2, 0.0),
    ],
)
def test_right_values(truth: list[int], found: list[int], k: int, expected: float) -> None:
    score = measure.per_query(answers_of([truth], [found]), MeasureName("recall", k))
    assert score.values.tolist() == [expected]
    assert score.undefined.tolist() == [""]


def test_without_an_eligible_row_it_is_undefined() -> None:
    score = measure.per_query(answers_of([[17], []], [[17], []]), MeasureName("recall", 100))
    assert score.undefined.tolist() == ["", NO_TRUE_NEIGHBOUR]
    assert score.defined.tolist() == [True, False]


lists = st.lists(
    st.tuples(
        st.lists(st.integers(0, 9), min_size=1, max_size=6, unique=True), st.lists(st.integers(0, 20), max_size=8)
    ),
    min_size=1,
    max_size=6,
)


@given(lists, st.integers(1, 7))
def test_plain_sets_and_no_matter_which_order(pairs: list[tuple[list[int], list[int]]], k: int) -> None:
    truth, found = (list(side) for side in zip(*pairs, strict=True))
    values = measure.per_query(answers_of(truth, found), MeasureName("recall", k)).values.tolist()
    assert values == [len(set(t[:k]) & set(f[:k])) / min(k, len(t)) for t, f in pairs]

    order = np.random.default_rng(len(pairs)).permutation(len(pairs)).tolist()
    moved = measure.per_query(
        answers_of([truth[i] for i in order], [found[i] for i in order]), MeasureName("recall", k)
    ).values
    assert moved.tolist() == [values[i] for i in order]

    backwards = [f[:k][::-1] for f in found]
    assert measure.per_query(answers_of(truth, backwards), MeasureName("recall", k)).values.tolist() == values
    strangers = [[code if code in t else 1000 + code for code in f] for t, f in pairs]
    assert measure.per_query(answers_of(truth, strangers), MeasureName("recall", k)).values.tolist() == values
