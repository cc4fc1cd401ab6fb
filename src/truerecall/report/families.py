"""Which curves belong together: the builds of one configuration in one mode, and what is said over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median_low, stdev

from truerecall.model.curve import Curve, Point
from truerecall.model.finding import Verdict
from truerecall.model.span import Span
from truerecall.report.curve_parts import CurveRow, Family, OverBuilds, SettingRow
from truerecall.report.names import family_of
from truerecall.report.point_parts import PointRow
from truerecall.report.rows import build_facts, curve_row
from truerecall.report.timed import timed_words

VERDICTS: tuple[Verdict, ...] = ("ok", "suspect", "invalid")


def families_of(curves: Sequence[Curve], labels: Sequence[str], measure: str, seed: int) -> tuple[Family, ...]:
    """The families in the order in which each first occurs, their builds by number. ``labels``: what the family of
    each curve is called."""
    places: dict[object, list[int]] = {}
    for place, curve in enumerate(curves):
        places.setdefault(family_of(curve), []).append(place)
    found = []
    for own in places.values():
        ordered = sorted(own, key=lambda place: curves[place].points[0].run.setup.build.number)
        rows = tuple(curve_row(curves[place], measure, seed) for place in ordered)
        found.append(_family(labels[own[0]], [curves[place] for place in ordered], rows))
    return tuple(found)


def _family(label: str, curves: Sequence[Curve], rows: tuple[CurveRow, ...]) -> Family:
    together: dict[str, list[PointRow]] = {}
    for row in rows:
        for point in row.points:
            together.setdefault(point.setting, []).append(point)
    points: list[Point] = [point for curve in curves for point in curve.points]
    setup = points[0].run.setup
    return Family(
        label=label,
        mode=setup.mode,
        curves=rows,
        settings=tuple(setting_row(setting, own) for setting, own in together.items()),
        work=(*(curve.build_id for curve in curves), setup.queries.digest, str(setup.k)),
        by_formula=tuple(sorted({name for point in points for name in point.run.by_formula})),
        timed=timed_words(setup.mode, [point for row in rows for point in row.points]),
        facts=build_facts(curves),
    )


def setting_row(setting: str, points: Sequence[PointRow]) -> SettingRow:
    """One setting of a family, of which each build has one of the ``points``."""
    spans = [span for point in points if (span := point.span) is not None]
    rates = [point.timing.answers_per_s for point in points if point.timing.answers_per_s is not None]
    measures = dict.fromkeys(score.measure for point in points for score in point.scores)
    costs = dict.fromkeys(name for point in points for name, _ in point.cost)
    asked = sum(point.timing.calls + point.timing.failed for point in points)
    return SettingRow(
        setting=setting,
        builds=len(points),
        over=tuple(own for measure in measures if (own := over_builds(measure, points)) is not None),
        span=_span(spans),
        answers_per_s=fmean(rates) if rates else None,
        failed_share=sum(point.timing.failed for point in points) / asked if asked else 0.0,
        cost=tuple((name, fmean(s for p in points if (s := p.spent(name)) is not None)) for name in costs),
        verdict=max((point.verdict for point in points), key=VERDICTS.index),
        on_front=2 * sum(point.on_front for point in points) >= len(points),
        beaten=all(point.beaten for point in points),
        knees=sum(point.is_knee for point in points),
    )


def over_builds(measure: str, points: Sequence[PointRow]) -> OverBuilds | None:
    """The mean over builds and the standard deviation of a sample (n - 1); None where no build has a mean."""
    scores = [score for point in points if (score := point.score(measure)) is not None and score.mean is not None]
    means = [score.mean for score in scores if score.mean is not None]
    if not means:
        return None
    if len(points) == 1:
        only = scores[0]
        return OverBuilds(measure, means[0], None, 1, only.low, only.high, only.n, only)
    sd = stdev(means) if len(means) > 1 else None
    n = min(score.n for score in scores)
    return OverBuilds(measure, fmean(means), sd, len(means), min(means), max(means), n, None)


def _span(spans: Sequence[Span]) -> Span | None:
    """The median of the builds' p50, an observed value, and the passes of all."""
    if len(spans) < 2:
        return spans[0] if spans else None
    passes = tuple(own for span in spans for own in (span.passes_s or (span.p50_s,)))
    return Span(median_low([span.p50_s for span in spans]), passes)
