"""unknown-queries: answers that nobody can judge."""

from __future__ import annotations

from tests.returned import bound
from truerecall.checks.unknown_queries import check
from truerecall.model.finding import Finding

FIRES = {"a truth of a sample": {"returned": bound({0: [1], 1: [2], 7: [3]}, [[1], [2]])}}
STAYS_QUIET = {"all known": {"returned": bound({1: [1], 0: [2]}, [[1], [2]])}}


def test_they_are_counted() -> None:
    finding = check.examine(**FIRES["a truth of a sample"])
    assert isinstance(finding, Finding)
    assert finding.message == "1 of 3 answered queries are not in the truth and are left aside"
