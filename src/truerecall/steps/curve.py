"""Put judged runs together into curves, one for each built index."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerecall.kernels.pareto import knee, pareto_front
from truerecall.model.curve import Curve, Point


def curves_of(points: Sequence[Point], measure: str) -> tuple[Curve, ...]:
    """One curve per build, in the order in which the builds first occur; its points by the p50 of a call.

    Points that asked another k or other queries of the same build, or warmed up otherwise, are another measurement
    and another curve. A point without a mean or without a p50 stays in ``points``, and is not on the front.
    """
    groups: dict[object, list[Point]] = {}
    for point in points:
        setup = point.run.setup
        groups.setdefault((setup.build.id, setup.k, setup.queries, setup.warmup_calls), []).append(point)
    return tuple(_curve(group, measure) for group in groups.values())


def _curve(points: Sequence[Point], measure: str) -> Curve:
    ordered = sorted(points, key=lambda point: (point.latency.p50_s is None, point.latency.p50_s or 0.0))
    placed = [
        (place, point.latency.p50_s, score.mean)
        for place, point in enumerate(ordered)
        if (score := point.score(measure)) is not None and score.mean is not None and point.latency.p50_s is not None
    ]
    places = np.array([place for place, _, _ in placed], np.int64)
    cost = np.array([p50_s for _, p50_s, _ in placed], np.float64)
    quality = np.array([mean for _, _, mean in placed], np.float64)
    front = pareto_front(cost, quality)
    bend = knee(cost[front], quality[front])
    setup = ordered[0].run.setup
    return Curve(
        build_id=setup.build.id,
        label=setup.built,
        measure=measure,
        points=tuple(ordered),
        front=tuple(int(places[point]) for point in front),
        knee=None if bend is None else int(places[front[bend]]),
    )
