"""hubs: rows in very many lists, and rows in none."""

from __future__ import annotations

import numpy as np

from tests.shapes import corpus_shape, estimate
from truerecall.checks.hubs import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.shape import CorpusShape, Estimate, Hubs, undefined

gathered = np.array([400, *[0] * 300, *[13] * 699])


def case(skew: Estimate, absent: float = 0.3, n: int = 1000, ties: float = 0.0) -> dict[str, CorpusShape]:
    hubs = Hubs(10, gathered[:n], skew, estimate(absent))
    return {"corpus_shape": corpus_shape(hubs=hubs, ties=Estimate(ties, 1000))}


FIRES = {"skewed": case(estimate(4.4))}
STAYS_QUIET = {
    "as real vectors have": {"corpus_shape": corpus_shape()},
    "not surely skewed": case(estimate(2.1, 0.2)),
    "clusters: skewed, and every row is in some list": case(estimate(6.3), absent=0.001),
}


def test_it_counts_the_largest_hub_and_those_that_no_list_holds() -> None:
    finding = check.examine(**FIRES["skewed"])
    assert isinstance(finding, Finding)
    assert finding.severity == "note"
    assert finding.message.startswith("among 1,000 rows one stands in 400 lists of 10 and 30.0% stand in none")


def test_it_cannot_tell_from_few_rows_or_where_rows_tie() -> None:
    assert isinstance(check.examine(**case(estimate(4.4), n=99)), CannotTell)
    assert isinstance(check.examine(**case(estimate(4.4), ties=0.2)), CannotTell)
    assert isinstance(check.examine(**case(undefined("there is one usable row"))), CannotTell)
