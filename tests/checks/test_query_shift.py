"""query-shift: queries from elsewhere than the rows."""

from __future__ import annotations

import numpy as np

from tests.shapes import estimate, query_shape
from truerecall.checks.query_shift import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.shape import Estimate, QueryShape, Shift, undefined


def case(mahalanobis: Estimate, nearest: Estimate, area: Estimate = estimate(0.5)) -> dict[str, QueryShape]:  # noqa: B008
    return {"query_shape": query_shape(shift=Shift(mahalanobis, nearest, area, np.ones(3), np.ones(3)))}


FIRES = {
    "farther from the centre": case(estimate(1.2), estimate(1.08)),
    "farther from the nearest row": case(estimate(1.0), estimate(1.3)),
    "nearer": case(estimate(1.0), estimate(0.5)),
    "without a covariance": case(undefined("it needs 20 queries"), estimate(1.3)),
}
STAYS_QUIET = {
    "held out": {"query_shape": query_shape()},
    "not surely farther": case(estimate(1.11, 0.02), estimate(1.05)),
    "only a classifier tells them apart": case(estimate(1.02), estimate(1.02), estimate(0.98)),
}


def test_it_says_by_how_much_and_what_it_does() -> None:
    finding = check.examine(**FIRES["farther from the centre"])
    assert isinstance(finding, Finding)
    assert finding.severity == "note"
    assert finding.message.startswith(
        "1,000 queries have 1.20 times the Mahalanobis distance from the centre, 1.08 times the distance of the nearest"
        " row of rows held out of the corpus: an index finds less for them"
    )
    assert finding.evidence["area_under_curve"] == 0.5
    finding = check.examine(**FIRES["nearer"])
    assert isinstance(finding, Finding)
    assert "they lie where rows are dense" in finding.message


def test_it_cannot_tell_where_neither_ratio_is_defined() -> None:
    nothing = undefined("it needs 20 queries and 40 usable rows")
    assert check.examine(**case(nothing, nothing)) == CannotTell("it needs 20 queries and 40 usable rows")


def test_it_cannot_tell_where_most_queries_are_rows() -> None:
    shift = Shift(estimate(0.7), undefined("zero"), estimate(0.5), np.ones(3), np.ones(3))
    outcome = check.examine(query_shape(shift=shift, copies=np.array([1, 1, 0])))
    assert outcome == CannotTell("2 of 3 queries are rows of the corpus")
