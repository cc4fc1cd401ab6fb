"""filter-ignored: rows that do not pass the filter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.nouns import run_of
from truerecall.checks.filter_ignored import check
from truerecall.model.filter import Narrowed
from truerecall.model.finding import Finding

WHERE = Narrowed("g = 3", 2, 20, "2 of 20 rows kept, digest 00")


def case(ineligible: int, where: Narrowed | None = WHERE) -> dict[str, Any]:
    run = run_of([[1, 2], [3, 4]], k=2)
    return {"run": replace(run, setup=replace(run.setup, where=where), ineligible=ineligible)}


FIRES = {"one of four": case(1), "all": case(4)}
STAYS_QUIET = {"all pass": case(0), "no filter": case(0, None)}


def test_it_says_how_many_and_withholds_the_number() -> None:
    finding = check.examine(**FIRES["one of four"])
    assert isinstance(finding, Finding)
    assert finding.message.startswith("1 of 4 rows that came back do not pass g = 3")
    assert finding.severity == "invalid"
