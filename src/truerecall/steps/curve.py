"""Put judged points together into curves, one for each built index in each mode."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from truerecall.kernels.pareto import knee, pareto_front
from truerecall.model.arrays import Floats
from truerecall.model.curve import Curve, Point
from truerecall.model.mode import ONE_BY_ONE
from truerecall.model.run import Setup
from truerecall.model.span import Span
from truerecall.steps.points import curve_key


def curves_of(points: Sequence[Point], measure: str) -> tuple[Curve, ...]:
    """One curve per build and mode, in the order in which they first occur; its points by the p50 of a call.

    Points that asked another k or other queries of the same build, or warmed up otherwise, are another measurement
    and another curve. A point without a mean or without a p50 stays in ``points``, and is not on the front. No two
    curves bear the same label.
    """
    groups: dict[Hashable, list[Point]] = {}
    for point in points:
        groups.setdefault(curve_key(point.run), []).append(point)
    labels = _labels([group[0].run.setup for group in groups.values()])
    return tuple(_curve(group, label, measure) for group, label in zip(groups.values(), labels, strict=True))


def _curve(points: Sequence[Point], label: str, measure: str) -> Curve:
    ordered = sorted(points, key=lambda point: (point.latency.p50_s is None, point.latency.p50_s or 0.0))
    placed = [
        (place, span, score.mean)
        for place, point in enumerate(ordered)
        if (score := point.score(measure)) is not None
        and score.mean is not None
        and (span := point.latency.span) is not None
    ]
    places = np.array([place for place, _, _ in placed], np.int64)
    cost = np.array([span.p50_s for _, span, _ in placed], np.float64)
    quality = np.array([mean for _, _, mean in placed], np.float64)
    front = _told_apart(pareto_front(cost, quality), [span for _, span, _ in placed], quality)
    bend = knee(cost[front], quality[front])
    return Curve(
        build_id=ordered[0].run.setup.build.id,
        label=label,
        measure=measure,
        points=tuple(ordered),
        front=tuple(int(places[point]) for point in front),
        knee=None if bend is None else int(places[front[bend]]),
    )


def _told_apart(front: Sequence[int], spans: Sequence[Span], quality: Floats) -> list[int]:
    """The points of a front, by cost, that cost less than the next by more than the spread over the passes. What does
    not, and is no better, buys nothing that is known; points that are equal in both stand together."""
    kept: list[int] = []
    for point in reversed(front):
        if not kept or quality[point] == quality[kept[-1]] or spans[point].sooner_than(spans[kept[-1]]):
            kept.append(point)
    return kept[::-1]


TOLD_APART: tuple[Callable[[Setup], str], ...] = (
    lambda setup: f"build {setup.build.number + 1}",
    lambda setup: f"k={setup.k}",
    lambda setup: f"{setup.warmup_calls} warm-up {'call' if setup.warmup_calls == 1 else 'calls'}",
    lambda setup: f"{setup.engine} {setup.engine_version}",
    lambda setup: setup.build.id[:8],
)
"""What is added to labels that agree, in this order, where it tells them apart."""


def asked_as(setup: Setup) -> str:
    """What was built, and how it was asked unless one by one and of all rows."""
    asked = "" if setup.mode == ONE_BY_ONE else f", {setup.mode}"
    return setup.built + asked + ("" if setup.where is None else f", where {setup.where.text}")


def _labels(setups: Sequence[Setup]) -> list[str]:
    """What each curve is called: what was built, how it was asked unless one by one, and what tells it from others."""
    labels = [asked_as(setup) for setup in setups]
    for facts in TOLD_APART:
        by_label: dict[str, set[str]] = {}
        for label, setup in zip(labels, setups, strict=True):
            by_label.setdefault(label, set()).add(facts(setup))
        labels = [
            f"{label}, {facts(setup)}" if len(by_label[label]) > 1 else label
            for label, setup in zip(labels, setups, strict=True)
        ]
    return [
        label if labels.count(label) == 1 else f"{label} ({labels[:place].count(label) + 1})"
        for place, label in enumerate(labels)
    ]
