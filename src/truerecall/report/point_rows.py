"""Points as rows of plain values."""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.curve import Curve, Latency, Point
from truerecall.report.point_parts import Percentile, PointRow, Timing
from truerecall.report.score_rows import score_row
from truerecall.report.wording import queries, settings_text, some, spoken


def setting_of(point: Point) -> str:
    """The search settings that the user named."""
    return settings_text(point.run.setup.asked)


def point_rows(curve: Curve, measure: str) -> tuple[PointRow, ...]:
    """The points of a curve in the order of their settings: numbers by value, before words."""
    places = sorted(range(len(curve.points)), key=lambda place: effort_order(curve.points[place]))
    return tuple(_row(curve, place, measure) for place in places)


def effort_order(point: Point) -> tuple[tuple[bool, float, str], ...]:
    """What points are sorted by, since their latencies may lie within the noise."""
    values = point.run.setup.asked.values()
    return tuple((isinstance(v, str), 0.0 if isinstance(v, str) else float(v), str(v)) for v in values)


def _row(curve: Curve, place: int, measure: str) -> PointRow:
    point = curve.points[place]
    return PointRow(
        setting=setting_of(point),
        scores=tuple(score_row(score) for score in point.scores),
        timing=timing(point.latency),
        cost=tuple(point.cost.items()),
        verdict=point.verdict,
        on_front=place in curve.front,
        beaten=place not in curve.front and _is_beaten(point, curve, measure),
        is_knee=place == curve.knee,
    )


def _is_beaten(point: Point, curve: Curve, measure: str) -> bool:
    """Whether another point is at least as good, and sooner by more than the noise."""
    own, span = mean_of(point, measure), point.latency.span
    if own is None or span is None:
        return False
    others = [(mean_of(other, measure), other.latency.span) for other in curve.points]
    return any(mean is not None and its is not None and mean >= own and its.sooner_than(span) for mean, its in others)


def mean_of(point: Point, measure: str) -> float | None:
    score = point.score(measure)
    return None if score is None else score.mean


def timing(latency: Latency) -> Timing:
    """Each percentile, or why it is withheld, with what is behind them. A reason goes by ``p99`` or ``p99_s``."""
    percentiles = tuple(
        Percentile(name, seconds, latency.withheld.get(name, latency.withheld.get(f"{name}_s", "")))
        for name, seconds in (("p50", latency.p50_s), ("p95", latency.p95_s), ("p99", latency.p99_s))
    )
    return Timing(
        percentiles=percentiles,
        calls=latency.calls,
        failed=latency.failed,
        distinct_queries=latency.distinct_queries,
        warmup_calls=latency.warmup_calls,
        passes_s=latency.p50_by_pass_s,
        answers_per_s=latency.answers_per_s,
        harness_s=latency.harness_s or None,
    )


def remarks(points: Sequence[PointRow]) -> tuple[str, ...]:
    """Why a percentile is withheld, which queries a mean leaves out, and which points show no number."""
    withheld: dict[tuple[str, str], list[str]] = {}
    undefined: dict[tuple[str, str, int], list[str]] = {}
    for point in points:
        for percentile in point.timing.percentiles:
            if percentile.reason:
                withheld.setdefault((percentile.name, percentile.reason), []).append(point.setting)
        for score in point.scores:
            for reason, number in score.undefined:
                undefined.setdefault((score.measure, reason, number), []).append(point.setting)
    sentences = [f"{name} is withheld{_at(own, points)}: {reason}." for (name, reason), own in withheld.items()]
    sentences += [
        f"{spoken(measure)} leaves out {queries(number)}{_at(own, points)}: {reason}."
        for (measure, reason, number), own in undefined.items()
    ]
    invalid = [point.setting for point in points if point.verdict == "invalid"]
    if invalid:
        sentences.append(f"No score is shown{_at(invalid, points)}: a finding says that the measurement does not hold.")
    return tuple(sentences)


def _at(settings: Sequence[str], points: Sequence[PointRow]) -> str:
    """Where, unless it is everywhere."""
    return "" if len(settings) == len(points) else f" at {some(settings)}"
