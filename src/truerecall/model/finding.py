"""Findings, and what they mean for the number that they stand beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Severity = Literal["note", "warning", "invalid"]
Verdict = Literal["ok", "suspect", "invalid"]
Outcome = Literal["passed", "fired", "cannot tell"]

SEVERITIES: tuple[Severity, ...] = ("note", "warning", "invalid")


@dataclass(frozen=True)
class Finding:
    """A suspicion: what was seen, in numbers, and what to do. ``code`` is the name of the check."""

    code: str
    severity: Severity
    message: str
    remedy: str
    evidence: Mapping[str, Any]


@dataclass(frozen=True)
class CheckOutcome:
    """What one check had to say. ``reason`` names the evidence that was missing where it cannot tell."""

    code: str
    outcome: Outcome
    finding: Finding | None = None
    reason: str = ""


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """``invalid`` withholds the number, ``suspect`` shows it with the warnings, ``ok`` has at most notes."""
    severities = {finding.severity for finding in findings}
    if "invalid" in severities:
        return "invalid"
    return "suspect" if "warning" in severities else "ok"
