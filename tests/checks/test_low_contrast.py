"""low-contrast: near and far that can hardly be told apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.shapes import corpus_shape, estimate, query_shape
from truerecall.checks.low_contrast import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.shape import Closeness, Estimate, undefined


def around(contrast: Estimate, rows: int = 10_000) -> Closeness:
    return Closeness(10, rows, np.ones(3), np.ones(3), np.ones(3), contrast)


FIRES: dict[str, dict[str, Any]] = {
    "rows": {"corpus_shape": corpus_shape(closeness=around(estimate(1.2)))},
    "queries": {"corpus_shape": corpus_shape(), "query_shape": query_shape(closeness=around(estimate(1.1)))},
}
STAYS_QUIET = {
    "as real vectors have": {"corpus_shape": corpus_shape()},
    "not surely low": {"corpus_shape": corpus_shape(closeness=around(estimate(1.24, 0.02)))},
    "queries decide": {
        "corpus_shape": corpus_shape(closeness=around(estimate(1.2))),
        "query_shape": query_shape(),
    },
}


def test_it_is_seen_from_the_queries_where_there_are_any() -> None:
    finding = check.examine(**FIRES["queries"])
    assert isinstance(finding, Finding)
    assert "seen from 1,000 queries, rows lie on average 1.10 times as far as the 10-th nearest" in finding.message
    undecided = query_shape(closeness=around(undefined("inner products are no distances")))
    finding = check.examine(corpus_shape(closeness=around(estimate(1.2))), undecided)
    assert isinstance(finding, Finding)
    assert "seen from 1,000 rows" in finding.message


def test_it_cannot_tell_where_k_is_no_small_part_of_the_rows() -> None:
    assert isinstance(check.examine(corpus_shape(closeness=around(estimate(1.1), rows=999))), CannotTell)
    assert isinstance(check.examine(corpus_shape(closeness=around(undefined("one row")))), CannotTell)
