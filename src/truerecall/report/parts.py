"""The parts of a summary: frozen records of plain values, everything that any face shows.

A face only lays out what stands here; it computes nothing that a reader could take for a measurement.
"""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.finding import Severity, Verdict
from truerecall.model.score import Means


@dataclass(frozen=True)
class Fact:
    """A name and what it says, both ready to be read."""

    name: str
    value: str


@dataclass(frozen=True)
class ScoreRow:
    """A mean with what belongs to it; None over no query. ``low`` and ``high`` are None where there is no interval."""

    measure: str
    mean: float | None
    low: float | None
    high: float | None
    ci_method: str
    n: int
    undefined: tuple[tuple[str, int], ...]
    failed: int
    answered_mean: float | None
    along: Means | None = None


@dataclass(frozen=True)
class Percentile:
    """A latency in seconds, or None with the reason why it is withheld."""

    name: str
    seconds: float | None
    reason: str


@dataclass(frozen=True)
class PointRow:
    """One setting. ``cost`` is per query; ``scores`` is empty where a finding is invalid."""

    setting: str
    scores: tuple[ScoreRow, ...]
    percentiles: tuple[Percentile, ...]
    calls: int
    failed: int
    cost: tuple[tuple[str, float], ...]
    verdict: Verdict
    on_front: bool
    is_knee: bool

    def score(self, measure: str) -> ScoreRow | None:
        return next((s for s in self.scores if s.measure == measure), None)

    def mean(self, measure: str) -> float | None:
        score = self.score(measure)
        return None if score is None else score.mean

    @property
    def p50_s(self) -> float | None:
        return next((p.seconds for p in self.percentiles if p.name == "p50"), None)

    def spent(self, name: str) -> float | None:
        return dict(self.cost).get(name)


@dataclass(frozen=True)
class StratumRow:
    """One stratum: its n, its mean with the interval, and whether it is thin."""

    name: str
    score: ScoreRow
    thin: bool


@dataclass(frozen=True)
class Spread:
    """How the values of single queries are spread at one setting: ``counts`` of each value, in ascending order.

    ``low``: the low end in words; ``strata``: empty where none were given.
    """

    setting: str
    counts: tuple[tuple[float, int], ...]
    n: int
    perfect: int
    low: str
    strata: tuple[StratumRow, ...]


@dataclass(frozen=True)
class SemanticRow:
    """Recall and semantic recall of one setting; ``on_same`` is recall over the queries of the latter."""

    setting: str
    recall: ScoreRow
    semantic: ScoreRow
    on_same: ScoreRow
    is_knee: bool


@dataclass(frozen=True)
class CurveRow:
    """One build: its points by cost, the spread at its knee, its semantic recall, and how it was built.

    ``remarks``: what is missing from the table of points, and why, a sentence each.
    """

    label: str
    build_id: str
    points: tuple[PointRow, ...]
    spread: Spread | None
    semantic: tuple[SemanticRow, ...]
    remarks: tuple[str, ...]
    settings: tuple[Fact, ...]

    @property
    def knee(self) -> PointRow | None:
        return next((p for p in self.points if p.is_knee), None)

    def reading(self, measure: str) -> PointRow | None:
        """The point that stands for the curve: its knee, or the best point where it has none; None without a mean."""
        if self.knee is not None and self.knee.mean(measure) is not None:
            return self.knee
        scored = [(mean, point) for point in self.points if (mean := point.mean(measure)) is not None]
        return max(scored, key=lambda pair: pair[0])[1] if scored else None

    @property
    def costs(self) -> tuple[str, ...]:
        """The names of all costs that any point counts."""
        return tuple(dict.fromkeys(name for point in self.points for name, _ in point.cost))

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.measure for point in self.points for score in point.scores))


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
    """Where it was measured: a column per environment, one alone where all points share it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    differs: str


@dataclass(frozen=True)
class Summary:
    """Everything that a report says about one set of curves over one truth.

    ``headline``: a sentence for each curve; ``extremes``: the best and the cheapest point of all.
    """

    title: str
    measure: str
    k: int
    distance: str
    headline: tuple[str, ...]
    extremes: tuple[str, ...]
    trust: Trust
    curves: tuple[CurveRow, ...]
    worst: Worst | None
    truth: tuple[Fact, ...]
    environment: EnvironmentTable
    judge: str
    ci_methods: tuple[str, ...]

    @property
    def has_semantic(self) -> bool:
        return any(curve.semantic for curve in self.curves)
