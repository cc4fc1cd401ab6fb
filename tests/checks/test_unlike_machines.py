"""unlike-machines: curves of unlike machines side by side (hnswlib#317)."""

from __future__ import annotations

from typing import Any

from tests.curves import curve_of, point_of
from truerecall.checks.unlike_machines import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding


def case(*environments: dict[str, Any]) -> dict[str, Any]:
    return {"curves": tuple(curve_of(point_of([1.0], environment=own)) for own in environments)}


FIRES = {"two processors": case({"processor": "A"}, {"processor": "B"}), "cores": case({"cores_usable": 2}, {})}
STAYS_QUIET = {
    "one machine": case({"processor": "A", "when": 1}, {"processor": "A", "when": 2}),
    "one curve": case({"processor": "A"}),
}


def test_it_says_which() -> None:
    finding = check.examine(**FIRES["two processors"])
    assert isinstance(finding, Finding)
    assert finding.message.startswith("the curves were measured on unlike machines (processor: A, B): their latencies")
    assert finding.severity == "warning"


def test_unknown_machines_are_no_pass() -> None:
    assert isinstance(check.examine(**case({}, {})), CannotTell)
