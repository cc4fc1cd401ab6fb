"""asked-deeper: the first ten of a hundred."""

from __future__ import annotations

from truerecall.checks.asked_deeper import check
from truerecall.model.finding import Finding

FIRES = {"ten of a hundred": {"k": 10, "asked_k": 100}}
STAYS_QUIET = {"as asked": {"k": 10, "asked_k": 10}}


def test_both_depths_are_named() -> None:
    finding = check.examine(**FIRES["ten of a hundred"])
    assert isinstance(finding, Finding)
    assert finding.message.startswith("the first 10 of answers asked for 100 deep are judged")
