"""Which ids may count where rows were left out: what the truth can tell, and what it cannot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.nouns import run_of, truth_of
from truerecall.model.answers import Answers
from truerecall.model.eligibility import FILTER
from truerecall.steps.align import align
from truerecall.steps.choice import SELF

TRUTH = truth_of([[1, 2, 3]], query_ids=[7])  # at 0, 1, 2


def answers(found: list[int], distances: list[float], reasons: dict[str, str], *, distance: str = "l2") -> Answers:
    run = run_of([found], k=len(found), query_ids=[7])
    neighbors = replace(run.neighbors, distances=np.array(distances))
    truth = replace(TRUTH, reasons=reasons, distance=distance)
    return align(run.query_ids, neighbors, run.failed, truth, depth=len(found))


def test_where_nothing_was_left_out_every_row_counts() -> None:
    assert answers([9], [0.5], {}).may_count is None


@pytest.mark.parametrize(
    ("reasons", "distance", "found", "at", "expected"),
    [
        ({FILTER: "10 of 20 rows kept"}, "l2", [1, 9, 9, 3], [0.0, 2.0, 5.0, 2.0], [True, False, False, True]),
        ({SELF: "by id: ..."}, "l2", [7, 1, 9, 8], [2.0, 0.0, 2.0, 1.0], [False, True, True, False]),
        ({SELF: "by content: ..."}, "l2", [7, 1, 9, 8], [0.0, 0.0, 2.0, 1.0], [False, True, True, False]),
        ({SELF: "by content: ..."}, "ip", [7, 1, 9, 8], [2.0, 0.0, 2.0, 1.0], [False, True, False, False]),
        ({"zero-vectors": "1 row"}, "cosine", [7, 1, 9, 8], [np.nan, 0.0, 2.0, 1.0], [False, True, True, False]),
    ],
)
def test_what_a_truth_can_tell(
    reasons: dict[str, str], distance: str, found: list[int], at: list[float], expected: list[bool]
) -> None:
    may = answers(found, at, reasons, distance=distance).may_count
    assert may is not None
    assert may.tolist() == [expected]


def test_where_distances_say_who_may_answer_they_are_believed() -> None:
    run = run_of([[1, 9, 8]], k=3, query_ids=[7])
    neighbors = replace(run.neighbors, distances=np.array([0.0, 2.0, np.nan]))
    truth = replace(TRUTH, reasons={FILTER: "10 of 20 rows kept"})
    given = align(run.query_ids, neighbors, run.failed, truth, depth=3, distances_of="eligible rows")
    assert given.may_count is None
    assert given.cut(3, 3).distances.tolist() == [[0.0, 2.0, np.inf]]


def test_a_deeper_truth_tells_more_than_the_run_asked_for() -> None:
    given = answers([3], [2.0], {FILTER: "10 of 20 rows kept"})
    assert given.may_count is not None
    assert given.may_count.tolist() == [[True]]
    assert given.cut(1, 1).truth.shape == (1, 1)
