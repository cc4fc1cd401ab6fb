"""The parts of a summary that speak of one setting: its scores, how long its calls took, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.finding import Verdict
from truerecall.model.score import Means
from truerecall.model.span import Span


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
class Timing:
    """How long the calls of one point took, over all its passes.

    ``calls`` were answered, ``failed`` were not, ``warmup_calls`` were forgotten. ``harness_s``: the median of an empty
    engine in the same loop; None where nobody measured it.
    """

    percentiles: tuple[Percentile, ...]
    calls: int
    failed: int
    distinct_queries: int
    warmup_calls: int
    passes_s: tuple[float, ...]
    answers_per_s: float | None
    harness_s: float | None

    @property
    def span(self) -> Span | None:
        p50_s = next((p.seconds for p in self.percentiles if p.name == "p50"), None)
        return None if p50_s is None else Span(p50_s, self.passes_s)

    @property
    def failed_share(self) -> float:
        return self.failed / (self.calls + self.failed) if self.failed else 0.0

    @property
    def harness_share(self) -> float | None:
        """How much of the p50 an empty engine takes already."""
        return None if self.harness_s is None or not self.span else self.harness_s / self.span.p50_s


@dataclass(frozen=True)
class PointRow:
    """One setting of one build. ``cost`` is per query; ``scores`` is empty where a finding is invalid.

    ``on_front``: it is on the front of its curve; ``beaten``: another point of its curve is at least as good and
    sooner by more than the spread over the passes. Of one that is neither nobody knows.
    """

    setting: str
    scores: tuple[ScoreRow, ...]
    timing: Timing
    cost: tuple[tuple[str, float], ...]
    verdict: Verdict
    on_front: bool
    beaten: bool
    is_knee: bool

    def score(self, measure: str) -> ScoreRow | None:
        return next((s for s in self.scores if s.measure == measure), None)

    def mean(self, measure: str) -> float | None:
        score = self.score(measure)
        return None if score is None else score.mean

    @property
    def span(self) -> Span | None:
        return self.timing.span

    def spent(self, name: str) -> float | None:
        return dict(self.cost).get(name)
