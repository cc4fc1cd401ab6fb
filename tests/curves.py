"""Small curves to judge: points whose scores, latency and cost are written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tests.nouns import Lists, run_of
from truerecall.model.arrays import texts
from truerecall.model.curve import Curve, Latency, Point
from truerecall.model.engine import Settings
from truerecall.model.measure import PerQuery
from truerecall.model.run import Run
from truerecall.model.score import Score


def latency_of(calls: int = 500, *, p50_s: float | None = 1e-3, **changes: Any) -> Latency:
    """``changes``: fields of the Latency, as ``failed`` or ``harness_s``."""
    own = Latency(calls, calls, 0, 100, p50_s, p50_s if calls >= 100 else None, None, {})
    return replace(own, **changes)


def score_of(values: Sequence[float], measure: str = "recall@10", *, half: float = 0.01) -> Score:
    """The mean of these values, with an interval of so much to either side, within 0 and 1."""
    own = np.array(values, np.float64)
    mean = float(own.mean())
    per_query = PerQuery(own, texts([""] * len(own)))
    ends = (max(0.0, mean - half), min(1.0, mean + half))
    return Score(measure, per_query, mean, ends, "bca", len(own), {}, 0, mean)


def point_of(
    values: Sequence[float],
    *,
    settings: Settings | None = None,
    found: Lists | None = None,
    p50_s: float | None = 1e-3,
    passes: int = 3,
    cost: Mapping[str, int] | None = None,
    by_formula: tuple[str, ...] = (),
    effort: tuple[str, ...] = ("efSearch",),
    half: float = 0.01,
    valid: bool = True,
    **of_run: Any,
) -> Point:
    """Query q has the recall ``values[q]`` at k 10, after the answers ``found``, which else follow from it. ``cost``: a
    query's; ``of_run``: what else the run is told."""
    lists = found or [
        [100 * q + i if i < round(v * 10) else 10**6 + 100 * q + i for i in range(10)] for q, v in enumerate(values)
    ]
    force = {"efSearch": 16} if settings is None else settings
    totals = {name: each * len(values) for name, each in (cost or {}).items()}
    runs = tuple(
        replace(
            run_of(lists, k=10, in_force=force, cost=totals, effort=effort, repeat=repeat, **of_run),
            by_formula=by_formula,
        )
        for repeat in range(passes)
    )
    timed = latency_of(len(values) * passes, p50_s=p50_s, p50_by_pass_s=() if p50_s is None else (p50_s,) * passes)
    scores = (score_of(values, half=half),) if valid else ()
    return Point(runs, scores, timed, dict(cost or {}), ())


def curve_of(*points: Point, label: str = "faiss HNSW32") -> Curve:
    ordered = tuple(sorted(points, key=lambda point: point.latency.p50_s or 0.0))
    return Curve(ordered[0].run.setup.build.id, label, "recall@10", ordered, (), None)


def on_machine(run: Run, **environment: Any) -> Run:
    return replace(run, environment={**run.environment, **environment})
