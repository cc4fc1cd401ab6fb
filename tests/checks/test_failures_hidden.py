"""failures-hidden: percentiles and rates are of answered calls (H27)."""

from __future__ import annotations

from tests.curves import latency_of
from truerecall.checks.failures_hidden import check
from truerecall.model.finding import Finding

FIRES = {
    "H27: none was answered": {"latency": latency_of(0, p50_s=None, failed=60)},
    "H27: three of five": {"latency": latency_of(3, failed=2, answers_per_s=12.5)},
    "one of a thousand": {"latency": latency_of(999, failed=1)},
}
STAYS_QUIET = {"all answered": {"latency": latency_of(100)}}


def test_the_share_is_told() -> None:
    told = []
    for name in FIRES:
        finding = check.examine(**FIRES[name])
        assert isinstance(finding, Finding)
        told.append((finding.severity, finding.message))
    assert told == [
        ("warning", "60 of 60 calls failed (share 1): percentiles are of the 0 that were answered"),
        (
            "warning",
            "2 of 5 calls failed (share 0.4): percentiles and the 12.5 answers a second are of the 3 that were"
            " answered",
        ),
        ("note", "1 of 1,000 calls failed (share 0.001): percentiles are of the 999 that were answered"),
    ]
