"""busy-machine: other programs kept cores busy."""

from __future__ import annotations

from typing import Any

from tests.nouns import run_of
from truerecall.checks.busy_machine import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.mode import Mode


def case(percent: float, cores: int, mode: str = "one-by-one") -> dict[str, Any]:
    environment = {"cores_logical": cores, "during": {"cpu_percent": percent}}
    return {"run": run_of([[1]], k=1, environment=environment, mode=Mode.parse(mode))}


FIRES = {"two cores, both busy": case(95.0, 2), "eight of sixty-four": case(14.5, 64)}
STAYS_QUIET = {
    "its own core": case(52.0, 2),
    "its own clients": case(98.0, 4, "clients:4"),
    "more clients than cores": case(100.0, 2, "clients:8"),
    "a tenth of many": case(10.0, 64),
}


def test_it_is_a_note_with_the_cores() -> None:
    finding = check.examine(**FIRES["two cores, both busy"])
    assert isinstance(finding, Finding)
    assert finding.severity == "note"
    assert finding.message.startswith("other programs kept 0.9 of 2 cores busy")


def test_nobody_looked() -> None:
    assert isinstance(check.examine(run_of([[1]], k=1)), CannotTell)
