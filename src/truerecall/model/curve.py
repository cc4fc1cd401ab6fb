"""Points and curves: what each step of search effort costs and brings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from truerecall.model.believed import Believed
from truerecall.model.finding import CheckOutcome
from truerecall.model.run import Run
from truerecall.model.score import Score
from truerecall.model.span import Span


@dataclass(frozen=True)
class Latency:
    """Percentiles over the answered calls of all passes together, in seconds, each an observed value.

    ``calls`` were answered and are behind the percentiles, ``failed`` were not; ``warmup_calls`` came before them and
    were forgotten, over all passes. A percentile that too few calls support is None, with the reason in ``withheld``
    under its name (``p99_s``). ``distinct_queries``: how many different query ids are among the answered calls.
    ``p50_by_pass_s``: the median of each pass that answered a call, in their order. ``answers_per_s``: answered queries
    over the wall time of the passes; None where no time is known. ``harness_s``: the median that an empty engine had,
    the largest over the passes.
    """

    calls: int
    distinct_queries: int
    failed: int
    warmup_calls: int
    p50_s: float | None
    p95_s: float | None
    p99_s: float | None
    withheld: dict[str, str]
    p50_by_pass_s: tuple[float, ...] = ()
    answers_per_s: float | None = None
    harness_s: float | None = None

    @property
    def span(self) -> Span | None:
        return None if self.p50_s is None else Span(self.p50_s, self.p50_by_pass_s)

    @property
    def failed_share(self) -> float | None:
        """Of all calls the share that failed; None where there was no call."""
        return self.failed / (self.calls + self.failed) if self.calls + self.failed else None


@dataclass(frozen=True, eq=False)
class Point(Believed):
    """One setting of one build in one mode, judged over all its passes.

    ``runs``: the passes, in their order. ``cost`` is per answered query, of the first pass. ``checks``: what was said
    of the point, of its curve and of all curves together. With an invalid finding ``scores`` is empty.
    """

    runs: tuple[Run, ...]
    scores: tuple[Score, ...]
    latency: Latency
    cost: dict[str, float]
    checks: tuple[CheckOutcome, ...]

    @property
    def run(self) -> Run:
        """The first pass, for what all passes have in common."""
        return self.runs[0]


@dataclass(frozen=True, eq=False)
class Curve:
    """The points of one build, by the cost of a call.

    ``front``: indices of the points for which no other is at least as good in both the measure and p50 and better
    in one, and each of which is sooner than the next by more than the spread over the passes (``Span.sooner_than``):
    of points that are not told apart, the best; ``knee``: the index of the point of the front past which effort buys
    least, None where it has none.
    """

    build_id: str
    label: str
    measure: str
    points: tuple[Point, ...]
    front: tuple[int, ...]
    knee: int | None

    def cheapest_reaching(self, target: float) -> Point | None:
        """The point with the lowest p50 whose mean reaches the target; None where none does."""
        reaching: list[tuple[float, Any]] = []
        for point in self.points:
            score = point.score(self.measure)
            if score is None or score.mean is None or point.latency.p50_s is None:
                continue
            if score.mean >= target:
                reaching.append((point.latency.p50_s, point))
        return min(reaching, key=lambda pair: pair[0])[1] if reaching else None
