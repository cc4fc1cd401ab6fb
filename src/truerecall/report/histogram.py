"""Small pictures of how values are spread: filled bars for the first series, a line over them for the second."""

from __future__ import annotations

from typing import Any

import altair as alt

from truerecall.report.inspection_parts import Distribution
from truerecall.report.svg import PAINTS, Layered, as_svg, inline, paint
from truerecall.report.wording import count

WIDTH, HEIGHT = 320, 130
ROOM_ABOVE = 1.16
WIDEST = 52


def distribution_picture(distribution: Distribution, *, name: str, title: str) -> str:
    """The picture as SVG; ``name`` is unique on the page. Heights are shares, so that unequal series compare."""
    drawn = _named(distribution) if distribution.labels else _binned(distribution)
    said = "; ".join(_said(distribution, place) for place in range(len(distribution.series)))
    return as_svg(drawn, name=name, title=title, description=said)


def _named(distribution: Distribution) -> Layered:
    (series,) = distribution.series
    rows: list[dict[str, Any]] = [
        {"label": label, "count": own, "text": f"{own:,}"}
        for label, own in zip(distribution.labels, series.counts, strict=True)
    ]
    axis = alt.Axis(title=distribution.axis, labelAngle=0, ticks=False, labelOverlap="greedy")
    x = alt.X("label:O", sort=None, axis=axis, scale=alt.Scale(paddingInner=0.12))
    y = alt.Y(
        "count:Q",
        axis=None,
        scale=alt.Scale(type="sqrt", domain=[0, max(1, *series.counts) * ROOM_ABOVE**2], nice=False),
    )
    base = alt.Chart(inline(rows), width=WIDTH, height=HEIGHT)
    return alt.layer(
        base.mark_bar(color=paint(0), size=min(WIDEST, WIDTH / len(rows) * 0.86), aria=False).encode(x, y),
        base.mark_text(fontSize=11, dy=-7, color=PAINTS["--muted"], aria=False).encode(x, y, text="text:N"),
    )


def _binned(distribution: Distribution) -> Layered:
    first, *others = distribution.series
    edges = distribution.edges
    ends = [edges[0], edges[-1]]
    mark = distribution.mark
    if mark is not None:
        ends = [min(ends[0], mark), max(ends[1], mark)]
    tallest = max(own / max(1, series.n) for series in distribution.series for own in series.counts)
    scale = alt.Scale(domain=ends, nice=False, zero=False)
    x_axis = alt.Axis(title=distribution.axis, grid=False, tickCount=6)
    y = alt.Y("share:Q", axis=None, scale=alt.Scale(domain=[0, tallest * ROOM_ABOVE], nice=False))
    rows: list[dict[str, Any]] = [
        {"low": low, "high": high, "share": own / max(1, first.n)}
        for low, high, own in zip(edges, edges[1:], first.counts, strict=False)
    ]
    bars = alt.Chart(inline(rows), width=WIDTH, height=HEIGHT).mark_bar(
        color=paint(0), stroke=PAINTS["--surface"], strokeWidth=1, opacity=0.55 if others else 1, aria=False
    )
    layers = [bars.encode(alt.X("low:Q", scale=scale, axis=x_axis), alt.X2("high:Q"), y, alt.Y2(datum=0))]
    for place, series in enumerate(others, start=1):
        heights = [own / max(1, series.n) for own in series.counts]
        steps: list[dict[str, Any]] = [
            {"x": edge, "share": height} for edge, height in zip(edges, [*heights, heights[-1]], strict=True)
        ]
        line = alt.Chart(inline(steps)).mark_line(
            interpolate="step-after", strokeWidth=2, color=paint(place), aria=False
        )
        layers.append(line.encode(alt.X("x:Q", scale=scale, axis=x_axis), y))
    if mark is not None:
        layers += _marked(distribution, scale, ends)
    return alt.layer(*layers)


def _marked(distribution: Distribution, scale: alt.Scale, ends: list[float]) -> list[alt.Chart]:
    """A dashed line with its name beside it, on the side that has more room."""
    base = alt.Chart(inline([{"x": distribution.mark, "text": distribution.mark_name}]))
    left_half = (distribution.mark or 0.0) < sum(ends) / 2
    rule = base.mark_rule(color=PAINTS["--muted"], strokeDash=[4, 3], strokeWidth=1.5, aria=False)
    text = base.mark_text(
        fontSize=11,
        color=PAINTS["--muted"],
        align="left" if left_half else "right",
        dx=5 if left_half else -5,
        aria=False,
    )
    return [
        rule.encode(alt.X("x:Q", scale=scale)),
        text.encode(alt.X("x:Q", scale=scale), y=alt.value(6), text="text:N"),
    ]


def _said(distribution: Distribution, place: int) -> str:
    series = distribution.series[place]
    if distribution.labels:
        told = ", ".join(
            f"{label}: {own:,}" for label, own in zip(distribution.labels, series.counts, strict=True) if own
        )
        return f"{series.name}: {told}"
    tallest = series.counts.index(max(series.counts))
    low, high = distribution.edges[tallest], distribution.edges[tallest + 1]
    return f"{series.name}: {count(series.n, 'value')}, most of them between {low:.3g} and {high:.3g}"
