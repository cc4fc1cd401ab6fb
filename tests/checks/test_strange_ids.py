"""strange-ids: an index that was attached to names rows that the corpus does not have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.nouns import run_of
from truerecall.checks.strange_ids import check
from truerecall.model.finding import Finding


def case(unknown: int) -> dict[str, Any]:
    return {"run": replace(run_of([[1, 2], [3, 4]], k=2), unknown=unknown)}


FIRES = {"one of four": case(1), "all": case(4)}
STAYS_QUIET = {"all are known": case(0)}


def test_a_few_are_told_and_many_are_another_corpus() -> None:
    few, many = check.examine(**FIRES["one of four"]), check.examine(**FIRES["all"])
    assert isinstance(few, Finding)
    assert isinstance(many, Finding)
    assert few.message.startswith("1 of 4 ids that came back are those of no row")
    assert (few.severity, many.severity) == ("warning", "invalid")
