"""constant-dimensions: what tells no two rows apart."""

from __future__ import annotations

from tests.shapes import corpus_shape
from truerecall.checks.constant_dimensions import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding

FIRES = {
    "one": {"corpus_shape": corpus_shape(constant=(3,))},
    "many": {"corpus_shape": corpus_shape(constant=tuple(range(12)))},
}
STAYS_QUIET = {"all change": {"corpus_shape": corpus_shape()}}


def test_it_names_the_first_of_them() -> None:
    finding = check.examine(**FIRES["one"])
    assert isinstance(finding, Finding)
    assert finding.severity == "note"
    assert finding.message.startswith("1 of 16 dimensions hold one value in every row (3):")
    finding = check.examine(**FIRES["many"])
    assert isinstance(finding, Finding)
    assert "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more)" in finding.message


def test_it_cannot_tell_from_one_row() -> None:
    assert isinstance(check.examine(corpus_shape(usable=1, constant=(0, 1))), CannotTell)
