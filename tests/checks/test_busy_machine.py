"""busy-machine: other programs kept cores busy."""

from __future__ import annotations

from typing import Any

from tests.nouns import run_of
from truerecall.checks.busy_machine import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding


def case(busy: float | None, cores: int, before: float | None = None) -> dict[str, Any]:
    environment = {
        "cores_logical": cores,
        "before": {"others_busy_cores": before},
        "during": {"cpu_percent": 100.0, "others_busy_cores": busy},
    }
    return {"run": run_of([[1]], k=1, environment=environment)}


FIRES = {
    "nearly one of two": case(0.9, 2),
    "eight of sixty-four": case(8.3, 64),
    "just before a pass too short to tell": case(None, 2, before=1.5),
}
STAYS_QUIET = {
    "half a core": case(0.5, 2),
    "a tenth of many": case(6.4, 64),
    "it was busy before, and not during": case(0.1, 2, before=1.5),
}


def test_it_is_a_note_with_the_cores() -> None:
    finding = check.examine(**FIRES["nearly one of two"])
    assert isinstance(finding, Finding)
    assert finding.severity == "note"
    assert finding.message.startswith("other programs kept 0.9 of 2 cores busy")


def test_nobody_looked() -> None:
    assert isinstance(check.examine(run_of([[1]], k=1)), CannotTell)
    assert isinstance(check.examine(**case(None, 2)), CannotTell)
