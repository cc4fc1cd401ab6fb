"""queries-in-corpus: queries that are rows of the corpus."""

from __future__ import annotations

import numpy as np
import pytest

from truerecall.checks.queries_in_corpus import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.truth import NOT_COUNTED

FIRES = {
    "every query is a row": {"copies": np.array([1, 1, 1, 1])},
    "one query is a row": {"copies": np.array([0, 3, 0])},
}
STAYS_QUIET = {"held out": {"copies": np.array([0, 0])}}


@pytest.mark.parametrize(("case", "count", "n"), [("every query is a row", 4, 4), ("one query is a row", 1, 3)])
def test_it_counts_the_queries(case: str, count: int, n: int) -> None:
    finding = check.examine(**FIRES[case])
    assert isinstance(finding, Finding)
    assert finding.severity == "warning"
    assert finding.message == f"{count} of {n} queries are rows of the corpus"
    assert (finding.evidence["count"], finding.evidence["n"]) == (count, n)
    assert "hold the queries out" in finding.remedy
    assert "exclude" in finding.remedy


def test_it_cannot_tell_where_nobody_counted() -> None:
    assert isinstance(check.examine(np.array([0, NOT_COUNTED])), CannotTell)
