"""The parts of what is said about an inspection: frozen records of plain values, that every face only lays out."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.finding import Finding, Verdict
from truerecall.report.parts import Fact


@dataclass(frozen=True)
class Series:
    """How many of ``n`` fall into each bin of a picture."""

    name: str
    counts: tuple[int, ...]

    @property
    def n(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True)
class Distribution:
    """What a picture shows: bins between ``edges``, or bins with ``labels`` of their own where there are no edges.

    The first and the last bin hold what lies beyond too. ``mark``: a value to be marked, with what it is called.
    """

    axis: str
    series: tuple[Series, ...]
    edges: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    mark: float | None = None
    mark_name: str = ""


@dataclass(frozen=True)
class Quality:
    """One thing that was examined. ``code``: the check that judges it; ``outcome``: what the check had to say, with the
    ``reason`` where it could not tell. ``value`` holds the numbers, ``means`` what it is and does to recall."""

    code: str
    title: str
    value: str
    means: str
    facts: tuple[Fact, ...]
    picture: Distribution | None
    outcome: str = ""
    reason: str = ""
    finding: Finding | None = None


@dataclass(frozen=True)
class InspectionSummary:
    """Everything that a page about an inspection says. ``others``: findings that no quality shows."""

    title: str
    subject: str
    distance: str
    verdict: Verdict
    answer: str
    sentence: str
    qualities: tuple[Quality, ...]
    others: tuple[Finding, ...]
    findings: tuple[Finding, ...]
    facts: tuple[Fact, ...]
    sampled: tuple[str, ...]
    seed: int
