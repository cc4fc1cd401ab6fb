"""A corpus that has drifted: the finding says how far, and how far the mean can be off."""

from __future__ import annotations

from truerecall.checks.truth_drifted import check
from truerecall.model.drift import Drift

DRIFT = Drift("t", "c", 2000, 1, 0, 1, "1 added (2000), 1 changed (7)", 50, 2, 0.001)

FIRES = {"one row in a thousand": {"drift": DRIFT}}
STAYS_QUIET = {"the same corpus": {"drift": None}}


def test_it_says_how_far_the_mean_can_be_off() -> None:
    finding = check.examine(DRIFT)
    assert finding is not None
    assert finding.severity == "warning"
    assert "1 added (2000), 1 changed (7), 0.100% of 2,000 rows" in finding.message
    assert "at most 2 of 50 queries differ, so a mean over the queries is off by at most 0.0400" in finding.message
    assert (finding.evidence["share"], finding.evidence["bound_on_mean"]) == (0.001, 0.04)
