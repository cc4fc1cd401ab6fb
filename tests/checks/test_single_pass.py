"""single-pass: nobody knows how far latency moves between passes."""

from __future__ import annotations

from tests.curves import curve_of, point_of
from truerecall.checks.single_pass import check
from truerecall.model.finding import Finding

FIRES = {"one": {"curve": curve_of(point_of([1.0], passes=1))}}
STAYS_QUIET = {"three": {"curve": curve_of(point_of([1.0], passes=3))}}


def test_it_is_a_note() -> None:
    finding = check.examine(**FIRES["one"])
    assert isinstance(finding, Finding)
    assert (finding.severity, finding.remedy) == ("note", "measure every point several times: --repeats 3")
