"""claim-on-one-pass: latencies that are compared, of single passes."""

from __future__ import annotations

from typing import Any

from tests.sides import EQUAL, comparison, sides
from truerecall.checks.claim_on_one_pass import check
from truerecall.model.finding import Finding

COMPARED = comparison(equal_quality=EQUAL)
FIRES: dict[str, dict[str, Any]] = {"one side": {"comparison": COMPARED, "sides": sides(passes=1)}}
STAYS_QUIET: dict[str, dict[str, Any]] = {
    "three passes": {"comparison": COMPARED, "sides": sides()},
    "no latency is compared": {"comparison": comparison(), "sides": sides(passes=1)},
}


def test_they_are_counted() -> None:
    finding = check.examine(**FIRES["one side"])
    assert isinstance(finding, Finding)
    assert finding.message.startswith("latencies are compared, and 1 of 2 points were measured in one pass")
    assert finding.severity == "warning"
