"""intrinsic-dimension: neighbours in too many directions."""

from __future__ import annotations

import pytest

from tests.shapes import corpus_shape, estimate
from truerecall.checks.intrinsic_dimension import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.shape import undefined

FIRES = {"high": {"corpus_shape": corpus_shape(dimension=estimate(54.3))}}
STAYS_QUIET = {
    "as real vectors have": {"corpus_shape": corpus_shape()},
    "not surely high": {"corpus_shape": corpus_shape(dimension=estimate(30.5, 0.6))},
}


def test_it_is_a_note_with_its_interval() -> None:
    finding = check.examine(**FIRES["high"])
    assert isinstance(finding, Finding)
    assert finding.severity == "note"
    assert finding.message.startswith("the local intrinsic dimension is 54 at 1,000 rows")
    assert finding.evidence["interval"] == pytest.approx((54.29, 54.31))


def test_it_cannot_tell_what_is_undefined() -> None:
    outcome = check.examine(corpus_shape(dimension=undefined("it needs 101 usable rows")))
    assert outcome == CannotTell("the local intrinsic dimension is undefined: it needs 101 usable rows")
