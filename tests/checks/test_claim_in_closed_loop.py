"""claim-in-closed-loop: latencies that are compared, of callers who wait."""

from __future__ import annotations

from typing import Any

from tests.sides import EQUAL, comparison, sides
from truerecall.checks.claim_in_closed_loop import check
from truerecall.model.finding import Finding

FIRES: dict[str, dict[str, Any]] = {"compared": {"comparison": comparison(equal_quality=EQUAL), "sides": sides()}}
STAYS_QUIET: dict[str, dict[str, Any]] = {"no latency is compared": {"comparison": comparison(), "sides": sides()}}


def test_it_is_a_warning_with_the_modes() -> None:
    finding = check.examine(**FIRES["compared"])
    assert isinstance(finding, Finding)
    assert "come from a closed loop (one-by-one)" in finding.message
    assert finding.severity == "warning"
