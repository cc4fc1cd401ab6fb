"""Run every check on the shelf over the evidence at hand."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from truerecall.model.check import CannotTell, Check, code_of
from truerecall.model.finding import CheckOutcome
from truerecall.shelf import checks


def examine(evidence: Mapping[str, Any]) -> tuple[CheckOutcome, ...]:
    """What each check says, by name. A check whose evidence is not there cannot tell, and names what it misses."""
    return tuple(outcome_of(code_of(name), checks.get(name), evidence) for name in checks.names())


def outcome_of(code: str, check: Check, evidence: Mapping[str, Any]) -> CheckOutcome:
    """What one check says."""
    wanted = inspect.signature(check.examine).parameters
    missing = [name for name, p in wanted.items() if p.default is p.empty and name not in evidence]
    if missing:
        return CheckOutcome(code, "cannot tell", reason=f"needs {', '.join(missing)}")
    answer = check.examine(**{name: evidence[name] for name in wanted if name in evidence})
    if isinstance(answer, CannotTell):
        return CheckOutcome(code, "cannot tell", reason=answer.reason)
    return CheckOutcome(code, "passed") if answer is None else CheckOutcome(code, "fired", answer)
