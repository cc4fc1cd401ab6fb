"""Small pictures, one for each family: how single queries are spread, and semantic recall beside recall."""

from __future__ import annotations

import altair as alt

from truerecall.model.measure_name import MeasureName
from truerecall.report.curve_parts import SemanticRow, Spread
from truerecall.report.frame import CHARACTER_PX, share_ticks
from truerecall.report.point_parts import ScoreRow
from truerecall.report.summary_parts import Summary
from truerecall.report.svg import PAINTS, PERCENT, as_svg, inline, paint
from truerecall.report.wording import estimate, percent, queries

WIDTH = 300
NAMES_PX = 120
FINEST = 20
"""Up to this depth each possible value has its own bar; deeper measures are shown in bands of a twentieth."""


def spread_picture(summary: Summary, number: int) -> str | None:
    """The queries of family ``number`` by their value; all of a summary share one scale of counts."""
    curve = summary.families[number].shown
    if curve.spread is None:
        return None
    k = MeasureName.parse(summary.measure).k
    drawn = {n: bars(own, k) for n, f in enumerate(summary.families) if (own := f.shown.spread) is not None}
    tallest = max(count for own in drawn.values() for _, _, count in own)
    rows = [
        {"low": low, "high": high, "middle": (low + high) / 2, "count": count, "text": str(count) if count else ""}
        for low, high, count in drawn[number]
    ]
    edge = [min(low for low, _, _ in drawn[number]), max(high for _, high, _ in drawn[number])]
    x = alt.Scale(domain=edge, nice=False, zero=False)
    y = alt.Scale(domain=[0, tallest * 1.12], nice=False)
    axis = alt.Axis(
        values=[0, 0.2, 0.4, 0.6, 0.8, 1], labelExpr=PERCENT, title=f"{summary.measure} of a query", grid=False
    )
    base = alt.Chart(inline(rows), width=WIDTH, height=130)
    column = base.mark_bar(color=paint(number), stroke=PAINTS["--surface"], strokeWidth=1.5, aria=False)
    chart = alt.layer(
        column.encode(
            alt.X("low:Q", scale=x, axis=axis), alt.X2("high:Q"), alt.Y("count:Q", scale=y, axis=None), alt.Y2(datum=0)
        ),
        base.mark_text(fontSize=11, dy=-7, color=PAINTS["--muted"], aria=False).encode(
            alt.X("middle:Q", scale=x), alt.Y("count:Q", scale=y, axis=None), text="text:N"
        ),
    )
    title = f"{curve.label}: how many queries reach each {summary.measure}, at {curve.spread.setting}"
    said = "; ".join(f"{percent(value)}: {queries(count)}" for value, count in curve.spread.counts[:40])
    return as_svg(chart, name=f"spread-{number}", title=title, description=said)


def bars(spread: Spread, k: int) -> list[tuple[float, float, int]]:
    """From, to and count of each bar: one per possible value of a shallow measure, bands of a twentieth otherwise.

    The last band holds the perfect queries alone.
    """
    places = [value * k for value, _ in spread.counts]
    if k <= FINEST and all(abs(place - round(place)) < 1e-6 for place in places):
        found = {round(value * k): count for value, count in spread.counts}
        return [((n - 0.5) / k, (n + 0.5) / k, found.get(n, 0)) for n in range(k + 1)]
    bands = [0] * (FINEST + 1)
    for value, count in spread.counts:
        bands[min(FINEST, int(value * FINEST + 1e-9))] += count
    return [(n / FINEST, (n + 1) / FINEST, count) for n, count in enumerate(bands)]


def semantic_picture(summary: Summary, number: int) -> str | None:
    """Recall (filled) and semantic recall (hollow) on the same queries, a line per setting, with intervals."""
    curve = summary.families[number].shown
    if not curve.semantic:
        return None
    lows = [
        _ends(score)[0] for f in summary.families for row in f.shown.semantic for score in (row.on_same, row.semantic)
    ]
    low = max(0.0, min(lows) - 0.02)
    high = 1 + 0.03 * (1 - low)
    rows = [_semantic_row(row) for row in curve.semantic]
    x = alt.Scale(domain=[low, high], nice=False, zero=False)
    across = alt.Axis(
        values=share_ticks(low, high, 5), labelExpr=PERCENT, title=None, grid=True, domain=False, ticks=False
    )
    room = min(NAMES_PX, CHARACTER_PX * max(len(row.setting) for row in curve.semantic) + 12)
    down = alt.Axis(title=None, domain=False, ticks=False, labelLimit=NAMES_PX, minExtent=room)
    y = alt.Y("setting:O", sort=None, axis=down)
    base = alt.Chart(inline(rows), width=WIDTH - 50, height=34 * len(rows))
    layers = []
    for measured, offset, filled, form in (("recall", -6, True, "circle"), ("semantic", 6, False, "diamond")):
        rule = base.mark_rule(strokeWidth=1.5, opacity=0.75, color=paint(number), yOffset=offset, aria=False)
        point = base.mark_point(
            size=70,
            strokeWidth=2,
            opacity=1,
            shape=form,
            yOffset=offset,
            stroke=paint(number),
            fill=paint(number) if filled else PAINTS["--surface"],
        )
        layers += [
            rule.encode(alt.X(f"{measured}_low:Q", scale=x, axis=across), alt.X2(f"{measured}_high:Q"), y),
            point.encode(alt.X(f"{measured}:Q", scale=x, axis=across), y, description=f"{measured}_said:N"),
        ]
    chart = alt.layer(*layers)
    said = "; ".join(f"{row['setting']}: {row['recall_said']}, {row['semantic_said']}" for row in rows)
    return as_svg(
        chart, name=f"semantic-{number}", title=f"{curve.label}: recall and semantic recall", description=said
    )


def _semantic_row(row: SemanticRow) -> dict[str, str | float]:
    recall, semantic = _ends(row.on_same), _ends(row.semantic)
    return {
        "setting": row.setting,
        "recall": row.on_same.mean or 0.0, "recall_low": recall[0], "recall_high": recall[1],
        "semantic": row.semantic.mean or 0.0, "semantic_low": semantic[0], "semantic_high": semantic[1],
        "recall_said": f"recall on the same queries {estimate(row.on_same)}",
        "semantic_said": f"semantic recall {estimate(row.semantic)}",
    }  # fmt: skip


def _ends(score: ScoreRow) -> tuple[float, float]:
    """Low and high of the interval, or the mean twice where there is none."""
    mean = score.mean or 0.0
    return (mean if score.low is None else score.low), (mean if score.high is None else score.high)
