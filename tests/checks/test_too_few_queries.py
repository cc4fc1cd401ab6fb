"""too-few-queries: too few for the claim."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.curves import score_of
from truerecall.checks.too_few_queries import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding


def case(n: int, half: float | None, measure: str = "recall@10") -> dict[str, Any]:
    own = score_of([0.9] * n, measure, half=half or 0.0)
    return {"scores": (own if half is not None else replace(own, ci95=None),)}


FIRES = {"ten": case(10, 0.02), "wide": case(90, 0.08), "one": case(1, None)}
STAYS_QUIET = {
    "many": case(500, 0.02),
    "thirty that agree": case(30, 0.045),
    "recall is the claim": {"scores": (score_of([0.9] * 100, "ratio@10", half=0.08), *case(100, 0.01)["scores"])},
}


def test_it_says_how_many_would_do() -> None:
    wide, one = (check.examine(**FIRES[name]) for name in ("wide", "one"))
    assert isinstance(wide, Finding)
    assert isinstance(one, Finding)
    assert wide.message == "recall@10 is 0.90 ± 0.08 from 90 queries: a claim finer than that is not supported"
    assert wide.remedy.endswith("(about 5,760 for ± 0.01, if they scatter alike)")
    assert wide.severity == "note"
    assert one.message.startswith("recall@10 is 0.90 from 1 query: ")
    assert one.evidence["queries_for_0.01"] is None


def test_the_first_score_speaks_where_there_is_no_recall() -> None:
    assert isinstance(check.examine(**case(90, 0.08, "semantic_recall@10")), Finding)


def test_without_a_mean_there_is_no_claim() -> None:
    assert isinstance(check.examine(scores=()), CannotTell)
    assert isinstance(check.examine(scores=(replace(score_of([1.0]), mean=None),)), CannotTell)
