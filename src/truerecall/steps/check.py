"""Run every check on the shelf over the evidence at hand."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from truerecall.model.check import CannotTell, Check, code_of
from truerecall.model.finding import CheckOutcome
from truerecall.shelf import checks


def examine(evidence: Mapping[str, Any], *, beside: Mapping[str, Any] | None = None) -> tuple[CheckOutcome, ...]:
    """What each check says, by name, of those that are about any of the ``evidence``.

    Where other evidence that a check needs is not there, it cannot tell, and names what it misses. ``beside``: evidence
    that no check is asked about here, because its own ones are asked elsewhere.
    """
    shelf = {name: checks.get(name) for name in checks.names()}
    known = {**(beside or {}), **evidence}
    return tuple(
        outcome_of(code_of(name), check, known) for name, check in shelf.items() if subject_of(check) in evidence
    )


def subject_of(check: Check) -> str:
    """What a check is about: the first evidence that it needs; empty where it needs none."""
    return next(iter(_needed(check)), "")


def outcome_of(code: str, check: Check, evidence: Mapping[str, Any]) -> CheckOutcome:
    """What one check says."""
    wanted = inspect.signature(check.examine).parameters
    missing = [name for name in _needed(check) if name not in evidence]
    if missing:
        return CheckOutcome(code, "cannot tell", reason=f"needs {', '.join(missing)}")
    answer = check.examine(**{name: evidence[name] for name in wanted if name in evidence})
    if isinstance(answer, CannotTell):
        return CheckOutcome(code, "cannot tell", reason=answer.reason)
    return CheckOutcome(code, "passed") if answer is None else CheckOutcome(code, "fired", answer)


def _needed(check: Check) -> list[str]:
    """The evidence that a check cannot do without."""
    parameters = inspect.signature(check.examine).parameters
    return [name for name, parameter in parameters.items() if parameter.default is parameter.empty]
