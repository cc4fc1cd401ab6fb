"""unusable-vectors: NaN, infinity and zeros."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shapes import corpus_shape, query_shape
from truerecall.checks.unusable_vectors import check
from truerecall.model.finding import Finding
from truerecall.model.shape import Faults


def faults(n: int, *, undefined: bool = False, **counts: int) -> Faults:
    kinds = {name.replace("_", " "): count for name, count in counts.items()}
    return Faults(n, kinds, {kind: tuple(range(min(5, count))) for kind, count in kinds.items()}, undefined)


FIRES: dict[str, dict[str, Any]] = {
    "NaN": {"corpus_shape": corpus_shape(faults=faults(1000, NaN=7))},
    "zeros under cosine": {"corpus_shape": corpus_shape(faults=faults(4, zeros=1, undefined=True), distance="cosine")},
    "zeros under l2": {"corpus_shape": corpus_shape(faults=faults(4, zeros=1))},
    "a query": {"corpus_shape": corpus_shape(), "query_shape": query_shape(faults=faults(100, infinity=1))},
}
STAYS_QUIET = {
    "rows": {"corpus_shape": corpus_shape()},
    "rows and queries": {"corpus_shape": corpus_shape(), "query_shape": query_shape()},
}


@pytest.mark.parametrize(
    ("case", "severity", "words"),
    [
        ("NaN", "warning", "7 of 1,000 rows hold NaN (0, 1, 2, 3, 4 and 2 more): they have no l2 distance"),
        ("zeros under cosine", "warning", "1 of 4 rows hold only zeros (0): they have no cosine distance"),
        ("zeros under l2", "note", "where an embedding failed"),
        ("a query", "warning", "1 of 100 queries hold infinity (0)"),
    ],
)
def test_it_is_a_warning_where_the_truth_would_refuse(case: str, severity: str, words: str) -> None:
    finding = check.examine(**FIRES[case])
    assert isinstance(finding, Finding)
    assert finding.severity == severity
    assert words in finding.message
