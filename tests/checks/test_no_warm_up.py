"""no-warm-up: the first calls pay for what later ones find ready (paradedb#4789)."""

from __future__ import annotations

from tests.curves import latency_of
from truerecall.checks.no_warm_up import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding

FIRES = {"none": {"latency": latency_of(100, warmup_calls=0)}}
STAYS_QUIET = {"some": {"latency": latency_of(100, warmup_calls=1)}}


def test_it_is_a_warning() -> None:
    finding = check.examine(**FIRES["none"])
    assert isinstance(finding, Finding)
    assert finding.severity == "warning"
    assert finding.message.startswith("none of the 100 timed calls had a warm-up call before it")


def test_nothing_timed_nothing_told() -> None:
    assert isinstance(check.examine(latency_of(0)), CannotTell)
