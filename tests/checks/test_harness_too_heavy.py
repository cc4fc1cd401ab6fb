"""harness-too-heavy: a latency that is largely the loop's own (H28, see also)."""

from __future__ import annotations

from tests.curves import latency_of
from truerecall.checks.harness_too_heavy import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding

FIRES = {
    "myvector#124: 67 of 70 ms": {"latency": latency_of(p50_s=0.070, harness_s=0.067)},
    "an eighth": {"latency": latency_of(p50_s=8e-6, harness_s=1e-6)},
}
STAYS_QUIET = {"a hundredth": {"latency": latency_of(p50_s=50e-6, harness_s=0.5e-6)}}


def test_most_of_the_number_is_a_warning() -> None:
    most, some = (check.examine(**FIRES[name]) for name in FIRES)
    assert isinstance(most, Finding)
    assert isinstance(some, Finding)
    assert (most.severity, some.severity) == ("warning", "note")
    assert most.message.startswith("an empty engine takes 67000.00 µs in the same loop, 96% of the 70000.00 µs of p50")
    assert some.evidence["share"] == 0.125


def test_an_empty_engine_that_nobody_timed() -> None:
    assert isinstance(check.examine(latency_of(harness_s=None)), CannotTell)
    assert isinstance(check.examine(latency_of(harness_s=0.0)), CannotTell)
    assert isinstance(check.examine(latency_of(p50_s=None, harness_s=1e-6)), CannotTell)
