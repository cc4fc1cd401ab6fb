"""closed-loop: percentiles of callers who wait."""

from __future__ import annotations

from tests.curves import curve_of, point_of
from truerecall.checks.closed_loop import check
from truerecall.model.finding import Finding
from truerecall.model.mode import Mode

FIRES = {
    "a p95": {"curve": curve_of(point_of([1.0] * 100))},
    "clients, without a p95": {"curve": curve_of(point_of([1.0] * 5, mode=Mode("clients", 8)))},
}
STAYS_QUIET = {"a median alone": {"curve": curve_of(point_of([1.0] * 5))}}


def test_it_is_a_note_that_says_who_waits() -> None:
    one, many = (check.examine(**FIRES[name]) for name in FIRES)
    assert isinstance(one, Finding)
    assert isinstance(many, Finding)
    assert one.message.startswith("one caller asks the next query when the last is answered")
    assert many.message.startswith("8 clients ask the next query")
    assert "p95 does not show" in one.message
    assert "their rate does not show" in many.message, "no p95 is quoted"
    assert {one.severity, many.severity} == {"note"}
