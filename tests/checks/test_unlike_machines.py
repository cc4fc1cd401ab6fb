"""unlike-machines: curves of unlike machines side by side (hnswlib#317)."""

from __future__ import annotations

from typing import Any

from tests.curves import curve_of, point_of
from truerecall.checks.unlike_machines import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding


def case(*environments: dict[str, Any]) -> dict[str, Any]:
    return {"curves": tuple(curve_of(point_of([1.0], environment=own)) for own in environments)}


FIRES = {
    "two processors": case({"processor": "A"}, {"processor": "B"}),
    "cores": case({"cores_usable": 2}, {"cores_usable": 4}),
}
STAYS_QUIET = {
    "one machine": case({"processor": "A", "when": 1}, {"processor": "A", "when": 2}),
    "a governor that was not always read": case({"processor": "A", "cpu_governor": "x"}, {"processor": "A"}),
    "one curve": case({"processor": "A"}),
}


def test_it_says_which() -> None:
    finding = check.examine(**FIRES["two processors"])
    assert isinstance(finding, Finding)
    assert finding.message.startswith("the curves were measured on unlike machines (processor: A, B): their latencies")
    assert finding.severity == "warning"


def test_unknown_machines_are_no_pass() -> None:
    assert isinstance(check.examine(**case({}, {})), CannotTell)
    known_and_not = check.examine(**case({"processor": "A"}, {}))
    assert known_and_not == CannotTell("nobody knows on which machine 3 of 6 runs were made")
