"""claim-on-one-pass: latencies that are compared, of single passes."""

from __future__ import annotations

from typing import Any

from tests.sides import EQUAL, comparison, side, sides
from truerecall.checks.claim_on_one_pass import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding

COMPARED = comparison(equal_quality=EQUAL)
FIRES: dict[str, dict[str, Any]] = {
    "one side": {"comparison": COMPARED, "sides": sides(passes=1)},
    "no latency is compared": {"comparison": comparison(), "sides": sides(passes=1)},
}
STAYS_QUIET: dict[str, dict[str, Any]] = {
    "three passes": {"comparison": COMPARED, "sides": sides()},
    "one side was not timed": {"comparison": comparison(), "sides": sides(p50_s=None)},
}


def test_they_are_counted() -> None:
    compared, alone = (check.examine(**FIRES[name]) for name in FIRES)
    assert isinstance(compared, Finding)
    assert isinstance(alone, Finding)
    assert compared.message.startswith("1 of 2 points were timed in one pass: how far their latency moves")
    assert (compared.severity, alone.severity) == ("warning", "note")


def test_untimed_answers_tell_nothing() -> None:
    untimed = (side("A", p50_s=None), side("B", p50_s=None))
    assert isinstance(check.examine(COMPARED, untimed), CannotTell)
