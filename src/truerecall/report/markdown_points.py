"""The points of a family in Markdown: scores, latency and cost, and what is said over its builds."""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.span import Span
from truerecall.report.curve_parts import CurveRow, Family, SettingRow
from truerecall.report.estimates import ends_ms, mean_text, sd_text
from truerecall.report.markdown_text import escaped, table
from truerecall.report.point_parts import Percentile, PointRow
from truerecall.report.wording import estimate, interval, milliseconds, percent, queries, significant, spoken

NOTHING = "–"


def family_blocks(family: Family) -> list[str]:
    """A heading, how it was timed, and its tables; of several builds first what is said over all of them."""
    blocks = [f"## {escaped(family.label)}", escaped(" ".join(family.timed))]
    if len(family.curves) > 1:
        blocks.append(_over_builds(family))
    for curve in family.curves:
        if len(family.curves) > 1:
            blocks.append(f"### {escaped(curve.label)}")
        blocks += [_scores(curve), _times(family, curve)]
        blocks += [escaped(remark) for remark in curve.remarks]
    return blocks + _spread(family.shown)


def _over_builds(family: Family) -> str:
    head = (
        "setting", *(f"{spoken(m)}: mean ± sd, points" for m in family.measures), "builds", "p50, ms", "over passes",
        *(_cost(family, cost) for cost in family.costs), "verdict",
    )  # fmt: skip
    rows = [
        (
            row.setting + (f" (knee of {row.knees} of {row.builds})" if row.knees else _aside(row)),
            *(_over(row, measure) for measure in family.measures),
            str(row.builds), *_span(row.span),
            *(_spent(row.spent(cost)) for cost in family.costs), row.verdict,
        )
        for row in family.settings
    ]  # fmt: skip
    return table(head, rows)


def _over(row: SettingRow, measure: str) -> str:
    own = row.measured(measure)
    if own is None:
        return NOTHING
    some = f" ({own.builds} of {row.builds} builds)" if own.builds < row.builds else ""
    return f"{mean_text(own)}{f' ± {sd_text(own)}' if sd_text(own) else ''}{some}"


def _scores(curve: CurveRow) -> str:
    head = ["setting", *(part for m in curve.measures for part in (m, "95 % interval", "n")), "verdict"]
    rows = [
        [
            point.setting + (" (knee)" if point.is_knee else _aside(point)),
            *(cell for measure in curve.measures for cell in _score_cells(point, measure)),
            point.verdict,
        ]
        for point in curve.points
    ]
    return table(head, rows)


def _times(family: Family, curve: CurveRow) -> str:
    head = (
        "setting", "p50, ms", "over passes", "p95, ms", "p99, ms", "answers/s", "calls", "distinct queries",
        "calls failed", "empty engine", *(_cost(family, cost) for cost in family.costs),
    )  # fmt: skip
    rows = []
    for point in curve.points:
        timing = point.timing
        rate, weight = timing.answers_per_s, timing.harness_share
        rows.append(
            (
                point.setting, *_span(timing.span), *(_percentile(own) for own in timing.percentiles[1:]),
                _spent(rate), f"{timing.calls:,}", f"{timing.distinct_queries:,}",
                f"{timing.failed:,} ({percent(timing.failed_share)})" if timing.failed else "0",
                NOTHING if weight is None else percent(weight),
                *(_spent(point.spent(cost)) for cost in family.costs),
            )
        )  # fmt: skip
    return table(head, rows)


def _aside(row: PointRow | SettingRow) -> str:
    return " (beaten)" if row.beaten else ""


def _score_cells(point: PointRow, measure: str) -> tuple[str, str, str]:
    score = point.score(measure)
    if score is None:
        return NOTHING, NOTHING, NOTHING
    return ("undefined" if score.mean is None else percent(score.mean)), interval(score) or NOTHING, f"{score.n:,}"


def _span(span: Span | None) -> tuple[str, str]:
    return (
        (NOTHING, NOTHING) if span is None else (milliseconds(span.p50_s), ends_ms(span) if span.ends_s else "1 pass")
    )


def _percentile(own: Percentile) -> str:
    return NOTHING if own.seconds is None else milliseconds(own.seconds)


def _cost(family: Family, cost: str) -> str:
    return spoken(cost) + (" (by formula)" if cost in family.by_formula else "")


def _spent(spent: float | None) -> str:
    return NOTHING if spent is None else significant(spent)


def _spread(curve: CurveRow) -> list[str]:
    spread = curve.spread
    if spread is None:
        return []
    blocks = [f"At {escaped(spread.setting)}, {spread.perfect:,} of {queries(spread.n)} are perfect. {spread.low}"]
    rows: Sequence[tuple[str, str, str]] = [
        (row.name + (" (thin)" if row.thin else ""), estimate(row.score), f"{row.score.n:,}") for row in spread.strata
    ]
    return [*blocks, table(("stratum", "mean [95 %]", "n"), rows)] if rows else blocks
