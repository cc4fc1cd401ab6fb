"""Whether the latencies of two sides compare, and what a call costs where both reach the same quality."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from truerecall.kernels.interpolation import cost_at
from truerecall.kernels.pareto import pareto_front
from truerecall.model.arrays import Floats
from truerecall.model.busy import others_in
from truerecall.model.comparison import LATENCY_MUST_AGREE, Entrant, EqualQuality, Pass, Side


def why_not(first: Side, second: Side) -> str:
    """Why the latencies of the two do not compare, in words; empty where they do."""
    return unlike(first, second) or _no_curves(first, second)


def unlike(first: Side, second: Side) -> str:
    """Why a call of one side may not be held against one of the other, in words; empty where it may."""
    sides = (first, second)
    untimed = [side.name for side in sides if any(one.p50_s is None for one in _passes(side))]
    if untimed:
        return f"nobody timed {' and '.join(untimed)}"
    for name in (*LATENCY_MUST_AGREE, "warmup_calls", "mode"):
        values = [{str(one.environment.get(name)) for one in _passes(side)} for side in sides]
        if all(own == {"None"} for own in values):
            if name == "processor":
                return "nobody knows on which machine they were measured"
            continue
        if values[0] != values[1] or len(values[0]) > 1:
            words = " and ".join(", ".join(sorted(own)) for own in values)
            return f"they were not measured alike: {name.replace('_', ' ')} {words}"
    for side in sides:
        for one in _passes(side):
            said = _busy(one.environment, side.name)
            if said:
                return said
    return ""


def _no_curves(first: Side, second: Side) -> str:
    """Why there are no two curves to be read off at equal quality; empty where there are."""
    sides = (first, second)
    several = [side.name for side in sides if len({entrant.built for entrant in side.entrants}) > 1]
    if several:
        return f"{several[0]} holds several curves; name one of them"
    if any(len(side.entrants) < 2 for side in sides):
        return "one point is no curve, and at unequal quality latencies say nothing: measure several settings a side"
    return ""


def equal_quality(first: Side, second: Side) -> tuple[EqualQuality, ...]:
    """The costs at every measured quality that both fronts reach, from the lowest; empty where their ranges do not
    meet."""
    fronts = [_front(side.entrants) for side in (first, second)]
    levels = sorted({quality for _, qualities in fronts for quality in qualities.tolist()})
    rows = []
    for level in levels:
        one, other = (cost_at(level, costs, qualities) for costs, qualities in fronts)
        if one is not None and other is not None:
            rows.append(EqualQuality(level, one, other))
    return tuple(rows)


def _front(entrants: Sequence[Entrant]) -> tuple[Floats, Floats]:
    """The front of a side: over builds the mean quality and the median of their p50."""
    costs = np.array([np.median([one.p50_s for one in entrant.passes]) for entrant in entrants], np.float64)
    qualities = np.array([np.mean([_mean(one) for one in entrant.passes]) for entrant in entrants], np.float64)
    front = pareto_front(costs, qualities)
    return costs[front], qualities[front]


def _mean(one: Pass) -> float:
    return float(one.per_query.values[one.per_query.defined].mean())


def _passes(side: Side) -> Iterable[Pass]:
    return (one for entrant in side.entrants for one in entrant.passes)


def _busy(environment: Any, name: str) -> str:
    """What else the machine did while this was measured, where that is too much or not known."""
    others = others_in(environment)
    if others is None:
        return f"nobody knows how busy the machine was while {name} was measured"
    if others.many:
        return f"other programs kept {others.busy:.1f} of {others.cores} cores busy while {name} was measured"
    return ""
