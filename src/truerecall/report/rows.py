"""Curves and points as rows of plain values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerecall.model.curve import Curve, Latency, Point
from truerecall.model.measure_name import MeasureName
from truerecall.model.score import Score, StratumScore
from truerecall.report.parts import CurveRow, Fact, Percentile, PointRow, ScoreRow, SemanticRow, Spread, StratumRow
from truerecall.report.wording import (
    count,
    duration,
    flat_facts,
    percent,
    queries,
    settings_text,
    size,
    spoken,
    value_text,
)
from truerecall.steps.score import score_over


def curve_row(curve: Curve, label: str, measure: str, seed: int) -> CurveRow:
    """All that is shown of one curve."""
    best = reading_point(curve, measure)
    points = tuple(
        point_row(point, on_front=place in curve.front, is_knee=place == curve.knee)
        for place, point in enumerate(curve.points)
    )
    return CurveRow(
        label=label,
        build_id=curve.build_id,
        points=points,
        spread=None if best is None else spread(best, measure),
        semantic=semantic_rows(curve, measure, seed),
        remarks=remarks(points),
        settings=build_facts(curve),
    )


def reading_point(curve: Curve, measure: str) -> Point | None:
    """The point that stands for the curve: its knee, or the best point where it has none; None without a mean."""
    if curve.knee is not None and _mean(curve.points[curve.knee], measure) is not None:
        return curve.points[curve.knee]
    scored = [(mean, point) for point in curve.points if (mean := _mean(point, measure)) is not None]
    return max(scored, key=lambda pair: pair[0])[1] if scored else None


def _mean(point: Point, measure: str) -> float | None:
    score = point.score(measure)
    return None if score is None else score.mean


def setting_of(point: Point) -> str:
    """The search settings that the user named."""
    return settings_text(point.run.setup.asked)


def point_row(point: Point, *, on_front: bool, is_knee: bool) -> PointRow:
    return PointRow(
        setting=setting_of(point),
        scores=tuple(score_row(score) for score in point.scores),
        percentiles=percentiles(point.latency),
        calls=point.latency.calls,
        failed=point.latency.failed,
        cost=tuple(point.cost.items()),
        verdict=point.verdict,
        on_front=on_front,
        is_knee=is_knee,
    )


def score_row(score: Score) -> ScoreRow:
    low, high = score.ci95 if score.ci95 is not None else (None, None)
    return ScoreRow(
        score.measure, score.mean, low, high, score.ci_method, score.n,
        tuple(sorted(score.undefined.items())), score.failed, score.answered_mean, score.along,
    )  # fmt: skip


def percentiles(latency: Latency) -> tuple[Percentile, ...]:
    """Each percentile, or why it is withheld. A reason goes by ``p99`` or ``p99_s``."""
    return tuple(
        Percentile(name, seconds, latency.withheld.get(name, latency.withheld.get(f"{name}_s", "")))
        for name, seconds in (("p50", latency.p50_s), ("p95", latency.p95_s), ("p99", latency.p99_s))
    )


def spread(point: Point, measure: str) -> Spread | None:
    """How the values of single queries are spread; None where no query has one."""
    score = point.score(measure)
    if score is None or not score.per_query.defined.any():
        return None
    values = np.sort(score.per_query.values[score.per_query.defined])
    levels, counts = np.unique(np.round(values, 12), return_counts=True)
    return Spread(
        setting=setting_of(point),
        counts=tuple(zip(levels.tolist(), counts.tolist(), strict=True)),
        n=len(values),
        perfect=int((values == 1).sum()),
        low=low_words(score),
        strata=tuple(stratum_row(score.measure, own) for own in score.strata),
    )


def low_words(score: Score) -> str:
    """What the mean hides, in a sentence or two."""
    low = score.low
    if low is None:
        return ""
    shares = [("5 %", low.fifth), ("1 %", low.first)]
    parts = [f"{share} of them have {percent(value)} or less" for share, value in shares if value is not None]
    parts += [f"the lowest has {percent(low.minimum)}", f"{low.at_zero:,} of {queries(score.n)} at zero"]
    halves = "" if score.split_half is None else f" Two random halves differ by {100 * score.split_half:.2f} points."
    whole = "" if score.clusters is None else f" Intervals draw whole clusters ({score.clusters:,})."
    return f"Of the queries: {', '.join(parts)}.{halves}{whole}"


def stratum_row(measure: str, own: StratumScore) -> StratumRow:
    low, high = own.ci95 if own.ci95 is not None else (None, None)
    return StratumRow(own.name, ScoreRow(measure, own.mean, low, high, own.ci_method, own.n, (), 0, own.mean), own.thin)


def remarks(points: Sequence[PointRow]) -> tuple[str, ...]:
    """Why a percentile is withheld, which queries a mean leaves out, and which points show no number."""
    withheld: dict[tuple[str, str], list[str]] = {}
    undefined: dict[tuple[str, str, int], list[str]] = {}
    for point in points:
        for percentile in point.percentiles:
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
    return "" if len(settings) == len(points) else f" at {'; '.join(settings)}"


def semantic_rows(curve: Curve, measure: str, seed: int) -> tuple[SemanticRow, ...]:
    """Semantic recall of the same depth beside recall; empty where it was not measured.

    ``seed``: that of the interval of recall over the queries that have both.
    """
    twin = str(MeasureName("semantic_recall", MeasureName.parse(measure).k))
    rows = []
    for place, point in enumerate(curve.points):
        recall, semantic = point.score(measure), point.score(twin)
        if recall is None or semantic is None:
            continue
        same = recall.per_query.defined & semantic.per_query.defined
        if same.any():
            on_same = score_row(score_over(recall, same, seed))
            rows.append(
                SemanticRow(setting_of(point), score_row(recall), score_row(semantic), on_same, place == curve.knee)
            )
    return tuple(rows)


def build_facts(curve: Curve) -> tuple[Fact, ...]:
    """How the index was built and what it says of itself."""
    setup = curve.points[0].run.setup
    build, state = setup.build, setup.build.state
    rows = value_text(state.indexed_rows) if state.indexed_rows is None else f"{state.indexed_rows:,}"
    return (
        Fact("engine", f"{setup.engine} {setup.engine_version}"),
        *(Fact(name, value_text(value)) for name, value in build.settings.items()),
        Fact("kind", state.kind),
        Fact("transform", state.transform or "none"),
        Fact("exact by design", value_text(state.exact_by_design)),
        Fact("trained", value_text(state.trained)),
        Fact("rows given", f"{state.rows:,}"),
        Fact("rows indexed", rows),
        Fact("index size", "not known" if state.size_bytes is None else size(state.size_bytes)),
        Fact("build time", duration(build.seconds)),
        Fact("build threads", str(build.threads)),
        Fact("seed", str(build.seed)),
        Fact("build id", build.id[:12]),
        Fact("neighbours asked for", str(setup.k)),
        Fact("warm-up", count(setup.warmup_calls, "call")),
        *_search_facts(curve),
    )


def _search_facts(curve: Curve) -> tuple[Fact, ...]:
    """Search settings as read back from the index that the points share; what varies stands in the table."""
    in_force = [point.run.setup.in_force for point in curve.points]
    shared = {name: value for name, value in in_force[0].items() if all(s.get(name) == value for s in in_force)}
    return tuple(Fact(f"search: {fact.name}", fact.value) for fact in flat_facts(shared))
