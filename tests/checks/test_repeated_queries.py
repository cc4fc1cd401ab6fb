"""repeated-queries: queries that ask the same thing again."""

from __future__ import annotations

import pytest

from tests.shapes import query_shape, sizes
from truerecall.checks.repeated_queries import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.shape import Duplicates, Estimate, QueryShape, undefined


def case(n: int, *groups: int, near: Estimate) -> dict[str, QueryShape]:
    return {"query_shape": query_shape(repeats=Duplicates(n, sizes(*groups)), near=near)}


FIRES = {
    "H28: one query again and again": case(10, 10, near=Estimate(1.0, 10)),
    "near ones": case(300, near=Estimate(4 / 300, 300)),
    "equal ones under ip": case(100, 2, near=undefined("inner products are no distances")),
}
STAYS_QUIET = {"all apart": {"query_shape": query_shape()}}


@pytest.mark.parametrize(
    ("case", "severity", "words"),
    [
        ("H28: one query again and again", "warning", "10 of 10 equal another one; 1 distinct query: what one of them"),
        ("near ones", "note", "4 of 300 queries nearly repeat another one: what one of them finds"),
        ("equal ones under ip", "note", "2 of 100 equal another one: what one of them finds"),
    ],
)
def test_it_counts_equal_and_near_ones(case: str, severity: str, words: str) -> None:
    finding = check.examine(**FIRES[case])
    assert isinstance(finding, Finding)
    assert finding.severity == severity
    assert finding.message.startswith(words)


def test_it_cannot_tell_from_one_query() -> None:
    assert isinstance(check.examine(**case(1, near=undefined("there is one usable query"))), CannotTell)
