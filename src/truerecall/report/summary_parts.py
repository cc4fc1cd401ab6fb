"""The summary of a measurement as a whole, with the queries that fare worst and where it was measured."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.report.behind import BehindTable
from truerecall.report.curve_parts import CurveRow, Family
from truerecall.report.parts import Fact, Trust


@dataclass(frozen=True)
class Neighbour:
    """A row beside a query. ``rank``: its place, from 1. ``text`` and ``distance`` are None where unknown.

    ``relevant``: what the judge says; None without labels.
    """

    rank: int
    id: str
    text: str | None
    distance: float | None
    relevant: bool | None = None


@dataclass(frozen=True)
class WorstQuery:
    """What a query lost: the true neighbours that are missing and what came in their stead, each nearest first.

    ``cut``: the true distance of the last true neighbour. ``found``: true neighbours that did come.
    """

    id: str
    text: str | None
    value: float
    cut: float
    found: tuple[Neighbour, ...]
    missed: tuple[Neighbour, ...]
    instead: tuple[Neighbour, ...]
    returned: int
    failure: str


@dataclass(frozen=True)
class Worst:
    """The queries with the lowest values at one setting; ``imperfect`` of ``n`` fall short of a full score."""

    curve: str
    setting: str
    imperfect: int
    n: int
    queries: tuple[WorstQuery, ...]


@dataclass(frozen=True)
class EnvironmentTable:
    """Where it was measured: what all points share, and what differs, with a column for each environment.

    ``columns``: which curves each environment is that of; ``differs``: why latencies do not compare, else empty.
    """

    same: tuple[Fact, ...]
    columns: tuple[str, ...]
    differing: tuple[tuple[str, tuple[str, ...]], ...]
    differs: str


@dataclass(frozen=True)
class BuildRow:
    """What one build took and takes. ``series``: the number of its family, the first of those in several modes.

    ``size_bytes`` is None where the engine does not tell.
    """

    name: str
    series: int
    seed: int
    seconds: float | None
    size_bytes: int | None
    rows: int
    threads: int
    id: str

    @property
    def bytes_a_row(self) -> float | None:
        return None if self.size_bytes is None or not self.rows else self.size_bytes / self.rows


@dataclass(frozen=True)
class Summary:
    """Everything that a report says about one set of curves over one truth.

    ``families``: the curves, those of one configuration together; ``builds``: each once, whatever was asked of it.
    ``behind``: what was measured behind filters.
    ``headline``: a sentence for each family; ``extremes``: the best and the cheapest point of all.
    """

    title: str
    measure: str
    k: int
    distance: str
    headline: tuple[str, ...]
    extremes: tuple[str, ...]
    trust: Trust
    families: tuple[Family, ...]
    builds: tuple[BuildRow, ...]
    behind: BehindTable | None
    worst: Worst | None
    truth: tuple[Fact, ...]
    environment: EnvironmentTable
    judge: str
    ci_methods: tuple[str, ...]

    @property
    def curves(self) -> tuple[CurveRow, ...]:
        """The curves of all families, family by family."""
        return tuple(curve for family in self.families for curve in family.curves)

    @property
    def has_semantic(self) -> bool:
        return any(curve.semantic for curve in self.curves)
