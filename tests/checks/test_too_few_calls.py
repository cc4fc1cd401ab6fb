"""too-few-calls: percentiles of a few calls (H28)."""

from __future__ import annotations

from tests.curves import latency_of
from truerecall.checks.too_few_calls import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding

FIRES = {"H28: ten": {"latency": latency_of(10)}, "no p95": {"latency": latency_of(99)}}
STAYS_QUIET = {"H28: a hundred": {"latency": latency_of(100)}, "many": {"latency": latency_of(5000)}}


def test_the_fewer_the_graver() -> None:
    ten, some = (check.examine(**FIRES[name]) for name in FIRES)
    assert isinstance(ten, Finding)
    assert isinstance(some, Finding)
    assert (ten.severity, some.severity) == ("warning", "note")
    assert ten.message == "10 calls are behind p50, too few for any percentile"
    assert some.evidence["needed"] == {"p50": 1, "p95": 100, "p99": 1000}


def test_one_call_is_one() -> None:
    finding = check.examine(latency_of(1))
    assert isinstance(finding, Finding)
    assert finding.message == "1 call is behind p50, too few for any percentile"


def test_nothing_timed_nothing_told() -> None:
    assert isinstance(check.examine(latency_of(0)), CannotTell)
