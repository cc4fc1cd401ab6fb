"""The parts of a summary that all summaries share: facts, and whether they can be believed.

All parts are frozen records of plain values, everything that any face shows. A face only lays out what stands here; it
computes nothing that a reader could take for a measurement.
"""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.finding import Severity, Verdict


@dataclass(frozen=True)
class Fact:
    """A name and what it says, both ready to be read."""

    name: str
    value: str


@dataclass(frozen=True)
class Sighting:
    """What a check saw, and at which points it saw exactly this."""

    message: str
    places: tuple[str, ...]
    evidence: tuple[Fact, ...]


@dataclass(frozen=True)
class FindingRow:
    """A finding, merged over the points where it fired."""

    code: str
    severity: Severity
    remedy: str
    sightings: tuple[Sighting, ...]


@dataclass(frozen=True)
class CheckRow:
    """On how many points a check passed, fired and could not tell, and why it could not."""

    code: str
    passed: int
    fired: int
    cannot_tell: int
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Trust:
    """Can this be believed? ``answer`` is a word or two, ``sentence`` says why; findings by weight."""

    verdict: Verdict
    answer: str
    sentence: str
    findings: tuple[FindingRow, ...]
    checks: tuple[CheckRow, ...]
