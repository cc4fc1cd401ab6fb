"""What several checks of curves look at: points that differ in one setting, and how cost and time grow."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from truerecall.model.curve import Curve, Point
from truerecall.model.engine import Settings

PER_DOUBLING = 0.25
"""By so much a search that does more grows in time at least, for every doubling of its effort; less is flat."""
EQUAL_COST = 1.01


@dataclass(frozen=True, eq=False)
class Sweep:
    """Points of a curve that differ in the setting ``name`` alone, by its ``values``, which are numbers and ascend."""

    name: str
    values: tuple[float, ...]
    points: tuple[Point, ...]
    effort: bool

    @property
    def words(self) -> str:
        return f"{self.name} {self.values[0]:.12g} to {self.values[-1]:.12g}"

    @property
    def doublings(self) -> float:
        """Of the setting, from its smallest value on; 1 where it starts at zero."""
        low, high = self.values[0], self.values[-1]
        return math.log2(high / low) if low > 0 else 1.0


def settings_of(point: Point) -> Settings:
    """The search settings of a point: what was asked, and of the rest what is in force."""
    return {**point.run.setup.in_force, **point.run.setup.asked}


def sweeps(curve: Curve, measure: str) -> Iterator[Sweep]:
    """Every sweep of two points at least that have a mean of the measure."""
    points = [point for point in curve.points if mean_of(point, measure) is not None]
    names = {name for point in points for name in settings_of(point)}
    for name in sorted(names):
        groups: dict[str, list[tuple[float, Point]]] = {}
        for point in points:
            own = dict(settings_of(point))
            value = own.pop(name, None)
            if isinstance(value, int | float):
                groups.setdefault(json.dumps(own, sort_keys=True), []).append((float(value), point))
        for group in groups.values():
            ordered = sorted(group, key=lambda pair: pair[0])
            values = tuple(value for value, _ in ordered)
            if len(set(values)) > 1:
                effort = name in ordered[0][1].run.setup.effort
                yield Sweep(name, values, tuple(point for _, point in ordered), effort)


def mean_of(point: Point, measure: str) -> float | None:
    score = point.score(measure)
    return None if score is None else score.mean


def same_answers(points: Sequence[Point]) -> bool:
    """Whether the first passes of all answered every query alike."""
    return all(point.run.answers_like(points[0].run) for point in points[1:])


def cost_growth(points: Sequence[Point]) -> float | None:
    """The largest over the smallest of what the engine counted for a query, of the cost that varies most; None where
    it counted nothing. What follows from settings by a formula shows nothing of what was done."""
    names = set.intersection(*(set(point.cost) - set(point.run.by_formula) for point in points))
    spans = [[point.cost[name] for point in points] for name in names]
    return max((max(own) / min(own) for own in spans if min(own) > 0), default=None)


def time_growth(points: Sequence[Point]) -> float | None:
    """The largest over the smallest median time of a call, each that of the fastest pass, which noise touches least."""
    best = [min(point.latency.p50_by_pass_s, default=point.latency.p50_s) for point in points]
    known = [seconds for seconds in best if seconds]
    return max(known) / min(known) if len(known) == len(points) else None


def flat(points: Sequence[Point], doublings: float) -> tuple[str, float] | None:
    """In words what stayed flat while effort doubled so often, and its growth: what the engine counted, else the time.
    None where it rose, and where neither is known."""
    allowed = 1 + PER_DOUBLING * max(1.0, doublings)
    growth = cost_growth(points)
    if growth is not None:
        return ("cost", growth) if growth <= EQUAL_COST else None
    growth = time_growth(points)
    return ("time", growth) if growth is not None and growth <= allowed else None
