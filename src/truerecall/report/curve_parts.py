"""The parts of a summary that speak of an index over its settings: a curve for each build, a family for all builds."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.finding import Verdict
from truerecall.model.mode import Mode
from truerecall.model.span import Span
from truerecall.report.parts import Fact
from truerecall.report.point_parts import PointRow, ScoreRow


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
    """One build: its points in the order of their settings, the spread at its knee, its semantic recall.

    ``remarks``: what is missing from the table of points, and why, a sentence each.
    """

    label: str
    points: tuple[PointRow, ...]
    spread: Spread | None
    semantic: tuple[SemanticRow, ...]
    remarks: tuple[str, ...]

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.measure for point in self.points for score in point.scores))


@dataclass(frozen=True)
class OverBuilds:
    """A measure at one setting: the mean over ``builds`` and their standard deviation, which one build does not have.

    ``low`` and ``high``: of one build the 95 % interval over its queries, of several the lowest and the highest mean.
    ``only``: the score of the one build.
    """

    measure: str
    mean: float
    sd: float | None
    builds: int
    low: float | None
    high: float | None
    n: int
    only: ScoreRow | None


@dataclass(frozen=True)
class SettingRow:
    """One setting over all builds of a family. ``span`` holds the median of the builds' p50 and all their passes;
    ``cost`` is the mean over builds. ``knees``: of how many of the ``builds`` it is the knee."""

    setting: str
    builds: int
    over: tuple[OverBuilds, ...]
    span: Span | None
    answers_per_s: float | None
    failed_share: float
    cost: tuple[tuple[str, float], ...]
    verdict: Verdict
    on_front: bool
    beaten: bool
    knees: int

    @property
    def is_knee(self) -> bool:
        """Whether most builds agree that it is."""
        return 2 * self.knees > self.builds

    def measured(self, measure: str) -> OverBuilds | None:
        return next((own for own in self.over if own.measure == measure), None)

    def spent(self, name: str) -> float | None:
        return dict(self.cost).get(name)


@dataclass(frozen=True)
class Family:
    """All builds of one configuration of one engine in one mode.

    ``work``: the builds, the questions and k; families that agree in it do the same work, in other modes.
    ``by_formula``: the costs that the engine did not count. ``timed``: how its latency was measured, a sentence each.
    ``facts``: how it was built and what it says of itself, as far as its builds agree.
    """

    label: str
    mode: Mode
    curves: tuple[CurveRow, ...]
    settings: tuple[SettingRow, ...]
    work: tuple[str, ...]
    by_formula: tuple[str, ...]
    timed: tuple[str, ...]
    facts: tuple[Fact, ...]

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(measure for curve in self.curves for measure in curve.measures))

    @property
    def costs(self) -> tuple[str, ...]:
        """The names of all costs that any point has."""
        return tuple(dict.fromkeys(name for own in self.settings for name, _ in own.cost))

    @property
    def shown(self) -> CurveRow:
        """The build that stands for the others where single queries are looked at: the first that has scores."""
        return next((curve for curve in self.curves if curve.spread is not None), self.curves[0])

    def reading(self, measure: str) -> SettingRow | None:
        """The setting that stands for the family: its knee, or the best where it has none; None without a mean."""
        scored = [(own.mean, row) for row in self.settings if (own := row.measured(measure)) is not None]
        knee = next((row for _, row in scored if row.is_knee), None)
        return knee or (max(scored, key=lambda pair: pair[0])[1] if scored else None)
