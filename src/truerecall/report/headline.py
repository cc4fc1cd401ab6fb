"""The headline: what a reader should take away, one sentence each."""

from __future__ import annotations

from truerecall.model.measure_name import MeasureName
from truerecall.report.parts import CurveRow, PointRow, ScoreRow
from truerecall.report.wording import DEFAULTS, duration, estimate


def headline(curves: tuple[CurveRow, ...], measure: str, k: int) -> tuple[str, ...]:
    """A sentence for each curve: what it reaches at its knee, or at its best point where it has none."""
    return tuple(_of_curve(curve, measure, k) for curve in curves)


def extremes(curves: tuple[CurveRow, ...], measure: str) -> tuple[str, ...]:
    """The best point of all, and the cheapest; empty where there is only one to speak of."""
    scored = [
        (mean, curve, point) for curve in curves for point in curve.points if (mean := point.mean(measure)) is not None
    ]
    if len(scored) < 2:
        return ()
    best = max(scored, key=lambda at: (at[0], -(at[2].p50_s or 0.0)))
    sentences = [_extreme("Best", best[1], best[2], measure)]
    timed = [(point.p50_s, curve, point) for _, curve, point in scored if point.p50_s is not None]
    if timed:
        cheapest = min(timed, key=lambda at: at[0])
        sentences.append(_extreme("Cheapest", cheapest[1], cheapest[2], measure))
    return tuple(sentences)


def _extreme(what: str, curve: CurveRow, point: PointRow, measure: str) -> str:
    score = point.score(measure)
    assert score is not None
    return f"{what}: {curve.label} at {point.setting}, {estimate(score)}{_latency(point, score)}."


def _of_curve(curve: CurveRow, measure: str, k: int) -> str:
    point = curve.reading(measure)
    score = point.score(measure) if point is not None else None
    if point is None or score is None:
        return f"{curve.label} shows no number: none of its points has a valid score."
    if MeasureName.parse(measure).base == "recall":
        claim = f"{curve.label} finds {estimate(score)} of the true top {k}"
    else:
        claim = f"{curve.label} reaches {estimate(score)} {measure}"
    at = "" if point.setting == DEFAULTS else f" at {point.setting}"
    alone = point.is_knee or len(curve.points) == 1
    tail = "" if alone else " That is its best point; the curve has no knee."
    return f"{claim}{at}{_latency(point, score)}.{tail}"


def _latency(point: PointRow, score: ScoreRow) -> str:
    if point.p50_s is None:
        return f" (n={score.n:,}, no latency)"
    return f", {duration(point.p50_s)} a query (p50, n={score.n:,})"
