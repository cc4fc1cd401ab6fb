"""other-machine: sides that were measured on unlike machines (hnswlib#317)."""

from __future__ import annotations

from typing import Any

from tests.sides import sides
from truerecall.checks.other_machine import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding

FIRES: dict[str, dict[str, Any]] = {"H23, see also": {"sides": sides(environment={"processor": "Other CPU"})}}
STAYS_QUIET: dict[str, dict[str, Any]] = {"one machine": {"sides": sides()}}


def test_it_says_which() -> None:
    finding = check.examine(**FIRES["H23, see also"])
    assert isinstance(finding, Finding)
    assert finding.message.startswith("the sides were measured on unlike machines (processor: Other CPU, Test CPU)")
    assert finding.severity == "warning"


def test_an_unknown_machine_is_no_pass() -> None:
    assert check.examine(sides(environment={})) == CannotTell("nobody knows on which machine B ran")
