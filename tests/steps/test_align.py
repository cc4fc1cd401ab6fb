"""Answers meet the truth by id: of queries, whatever their order, and of rows, whatever their type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.nouns import Lists, run_of, truth_of
from truerecall.errors import InputError, StaleTruth
from truerecall.model.arrays import texts
from truerecall.model.labels import Labels
from truerecall.model.measure import NOTHING, Answers
from truerecall.model.run import Run
from truerecall.model.truth import GroundTruth
from truerecall.steps.align import align, codes_of

BIG = 2**63 + 5


def aligned(run: Run, truth: GroundTruth, *, depth: int = 10, labels: Labels | None = None) -> Answers:
    return align(run.query_ids, run.neighbors, run.failed, truth, depth=depth, labels=labels)


@pytest.mark.parametrize(
    ("truth", "found", "kinds"),
    [
        ([[7, 3]], [[3, 9]], (np.int64, np.int64)),
        ([[BIG, 3]], [[3, 9]], (np.uint64, np.uint64)),
        ([[BIG, 3]], [[3, -9]], (np.uint64, np.int64)),
        ([["b", "a"]], [["a", "ä"]], (str, str)),
        ([[2**53 + 1, 2**53 + 3]], [[2**53 + 3, 2**53]], (np.int64, np.int64)),  # H11: never through a double
    ],
)
def test_equal_ids_have_equal_codes(truth: Lists, found: Lists, kinds: tuple[Any, Any]) -> None:
    answers = aligned(run_of(found, k=2, dtype=kinds[1]), truth_of(truth, dtype=kinds[0]))
    assert answers.found[0, 0] == answers.truth[0, 1]
    assert answers.found[0, 1] not in answers.truth


def test_a_string_is_no_number() -> None:
    answers = aligned(run_of([["1", "2"]], k=2, dtype=str), truth_of([[1, 2]]))
    assert not set(answers.found.ravel().tolist()) & set(answers.truth.ravel().tolist())


@given(st.lists(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 5), max_size=6), max_size=4))
def test_codes_are_equal_exactly_where_ids_are(parts: list[list[int]]) -> None:
    coded = codes_of([np.array(part, np.int64) for part in parts])
    pairs = [pair for part, codes in zip(parts, coded, strict=True) for pair in zip(part, codes.tolist(), strict=True)]
    assert len(set(pairs)) == len({i for i, _ in pairs}) == len({code for _, code in pairs})
    assert sorted({code for _, code in pairs}) == list(range(len(set(pairs))))


def test_lists_are_padded_and_cut() -> None:
    answers = aligned(run_of([[1], [2, 3, 4]], k=3), truth_of([[1, 2, 3], [4]]), depth=2)
    assert answers.truth.shape == answers.found.shape == (2, 2)
    assert answers.found[0, 1] == answers.truth[1, 1] == NOTHING
    assert np.isnan(answers.found_distances[0, 1])
    assert answers.found_distances[1].tolist() == [0.0, 1.0]
    assert answers.truth_distances[0].tolist() == [0.0, 1.0]


def test_queries_meet_by_id_and_absent_ones_failed() -> None:
    truth = truth_of([[1], [2], [3]], query_ids=["a", "b", "c"])
    answers = aligned(run_of([[3], [1]], k=1, query_ids=["c", "a"]), truth)
    assert answers.failed.tolist() == [False, True, False]
    assert (answers.found == answers.truth).ravel().tolist() == [True, False, True]


def test_what_came_back_from_a_failed_query_is_dropped() -> None:
    answers = aligned(run_of([[1], [2]], k=1, failures=["", "timeout"]), truth_of([[1], [2]]))
    assert answers.failed.tolist() == [False, True]
    assert answers.found[1].tolist() == [NOTHING]


def test_no_answers_at_all() -> None:
    answers = aligned(run_of([], k=5), truth_of([[1], [2]]))
    assert answers.failed.all()
    assert answers.found.shape == (2, 0)


def test_answers_to_unknown_queries_are_refused() -> None:
    with pytest.raises(StaleTruth, match=r"1 of 2 answered queries are not in the truth \(first: z\)"):
        aligned(run_of([[1], [2]], k=1, query_ids=["a", "z"]), truth_of([[1], [2]], query_ids=["a", "b"]))
    with pytest.raises(InputError, match="1 surplus rows under 1 repeated ids"):
        aligned(run_of([[1], [2]], k=1, query_ids=["a", "a"]), truth_of([[1], [2]], query_ids=["a", "b"]))


def test_labels_are_sorted_codes_of_each_query() -> None:
    labels = Labels("person", texts(["b", "b", "a", "gone", "b"]), np.array([3, 99, 1, 1, 3]))
    truth = truth_of([[1, 2], [3, 4]], query_ids=["a", "b"])
    answers = aligned(run_of([[1], [4]], k=2, query_ids=["a", "b"]), truth, labels=labels)
    assert answers.relevant is not None
    first, second = answers.relevant
    assert first.tolist() == [answers.truth[0, 0]]
    assert second.tolist() == sorted(second.tolist())
    assert len(second) == 2
    assert answers.truth[1, 0] in second
    assert answers.truth[1, 1] not in second
