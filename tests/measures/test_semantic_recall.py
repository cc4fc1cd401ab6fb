"""semantic recall@k against right values worked by hand, and against plain sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.nouns import answers_of
from truerecall.measures import recall
from truerecall.measures.semantic_recall import NONE_RELEVANT, groups_by, measure
from truerecall.model.measure import NO_TRUE_NEIGHBOUR
from truerecall.model.measure_name import MeasureName

A, B, C, D, E, X = range(6)


def test_the_loss_of_an_irrelevant_row_does_not_count() -> None:
    answers = answers_of([[A, B, C, D, E]], [[A, B, C, D, X]], relevant=[[A, C, D]])
    assert recall.measure.per_query(answers, MeasureName("recall", 5)).values.tolist() == [0.8]
    assert measure.per_query(answers, MeasureName("semantic_recall", 5)).values.tolist() == [1.0]


def test_a_relevant_row_outside_the_truth_counts_neither_way() -> None:
    for found in ([A, B, C, D, X], [A, B, C, D, E]):
        answers = answers_of([[A, B, C, D, E]], [found], relevant=[[A, C, D, X]])
        assert measure.per_query(answers, MeasureName("semantic_recall", 5)).values.tolist() == [1.0]


def test_undefined_has_its_reason_and_no_eligible_row_comes_first() -> None:
    answers = answers_of([[A, B], [], [C, D]], [[A], [], [C]], relevant=[[X], [A], [C, D]])
    score = measure.per_query(answers, MeasureName("semantic_recall", 2))
    assert score.undefined.tolist() == [NONE_RELEVANT, NO_TRUE_NEIGHBOUR, ""]
    assert score.values.tolist() == [0.0, 0.0, 0.5]


def test_only_the_first_k_true_neighbours_are_judged() -> None:
    answers = answers_of([[A, B, C]], [[A, B, C]], relevant=[[C]])
    assert measure.per_query(answers, MeasureName("semantic_recall", 2)).undefined.tolist() == [NONE_RELEVANT]
    assert measure.per_query(answers, MeasureName("semantic_recall", 3)).values.tolist() == [1.0]


def test_without_labels_it_cannot_be_asked() -> None:
    with pytest.raises(ValueError, match="without labels"):
        measure.per_query(answers_of([[A]], [[A]]), MeasureName("semantic_recall", 1))


codes = st.integers(0, 9)
triples = st.lists(
    st.tuples(st.lists(codes, max_size=6, unique=True), st.lists(codes, max_size=8), st.sets(codes)),
    min_size=1,
    max_size=5,
)


@given(triples, st.integers(1, 7))
def test_plain_sets(rows: list[tuple[list[int], list[int], set[int]]], k: int) -> None:
    truth, found, relevant = (list(side) for side in zip(*rows, strict=True))
    score = measure.per_query(
        answers_of(truth, found, relevant=[sorted(r) for r in relevant]), MeasureName("semantic_recall", k)
    )
    for value, reason, (t, f, r) in zip(score.values.tolist(), score.undefined.tolist(), rows, strict=True):
        judged = set(t[:k]) & r
        assert (reason == "") == bool(judged)
        assert value == (len(judged & set(f[:k])) / len(judged) if judged else 0.0)


def test_queries_are_grouped_by_how_many_neighbours_are_relevant() -> None:
    counts = np.array([0, 3, 19, 20, 79, 80, 100])
    assert groups_by(counts, 100).tolist() == [
        "0 relevant",
        *["3 to 19 relevant"] * 2,
        *["20 to 79 relevant"] * 2,
        *["80 to 100 relevant"] * 2,
    ]
    assert groups_by(np.array([5, 1, 2, 3, 4, 6]), 10).tolist() == [
        f"{'1 to 2' if n <= 2 else '3 to 4' if n <= 4 else '5 to 6'} relevant" for n in (5, 1, 2, 3, 4, 6)
    ]
    assert groups_by(np.array([2, 2]), 10).tolist() == ["2 relevant"] * 2
    assert groups_by(np.array([0]), 10).tolist() == ["0 relevant"]
    answers = answers_of([[A, B], [A, B]], [[A], [A]], relevant=[[A], [A, B]])
    groups = measure.per_query(answers, MeasureName("semantic_recall", 2)).groups
    assert groups is not None
    assert groups.tolist() == ["1 relevant", "2 relevant"]
