"""The pictures of a report, each as SVG for a wide and for a narrow page; None where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt

from truerecall.report.frame import Frame, around, labelled, log_ticks, share_ticks
from truerecall.report.parts import CurveRow, PointRow, ScoreRow, Summary
from truerecall.report.svg import PAINTS, PERCENT, Layered, as_svg, inline, paint, shape
from truerecall.report.wording import estimate, significant

POINT_PX, RING_PX = 7.0, 13.0
DISTANCES = "distance_computations"
Cost = Callable[[PointRow], float | None]


@dataclass(frozen=True)
class Picture:
    """One chart, drawn for a wide page and again for a phone."""

    wide: str
    narrow: str


@dataclass(frozen=True)
class Dot:
    """A point that can be drawn: where, and what it is called."""

    curve: int
    place: int
    x: float
    y: float
    score: ScoreRow
    row: PointRow
    short: str
    spoken: str


def recall_against_latency(summary: Summary) -> Picture | None:
    """The measure against p50 in milliseconds; a point without either is not drawn."""
    return _curve_picture(summary, "latency", "ms a query, p50", _milliseconds, joined="datum.front")


def recall_against_distances(summary: Summary) -> Picture | None:
    """The measure against distance computations per query, of the curves that count them."""
    unit = "distance computations a query"
    return _curve_picture(summary, "distances", unit, lambda p: p.spent(DISTANCES), joined="true")


def _milliseconds(point: PointRow) -> float | None:
    return None if point.p50_s is None else point.p50_s * 1000


def _curve_picture(summary: Summary, name: str, unit: str, cost: Cost, *, joined: str) -> Picture | None:
    """``joined``: which points the line of a curve runs through, as an expression of Vega."""
    dots = [
        dot for number, curve in enumerate(summary.curves) for dot in _dots(curve, number, summary.measure, cost, unit)
    ]
    if not dots:
        return None
    title = f"{summary.measure} against {unit}"
    told = "; ".join(dot.spoken for dot in dots if dot.row.is_knee)
    description = f"One line per curve, with 95 % intervals. Knees: {told or 'none'}. The table holds every number."
    drawn = {}
    for page, width, height in (("wide", 860, 400), ("narrow", 284, 300)):
        frame = around([d.x for d in dots], [_low(d) for d in dots], width, height)
        chart = _layers(dots, frame, summary.measure, unit, joined, ticks=9 if page == "wide" else 5)
        drawn[page] = as_svg(chart, name=f"{name}-{page}", title=title, description=description)
    return Picture(drawn["wide"], drawn["narrow"])


def _dots(curve: CurveRow, number: int, measure: str, cost: Cost, unit: str) -> list[Dot]:
    dots = []
    for place, row in enumerate(curve.points):
        x, score = cost(row), row.score(measure)
        if x is None or x <= 0 or score is None or score.mean is None:
            continue
        short = row.setting.split("=")[1] if row.setting.count("=") == 1 else row.setting
        text = f"{curve.label}, {row.setting}: {estimate(score)} at {significant(x)} {unit}"
        dots.append(Dot(number, place, x, score.mean, score, row, short, f"{text}, the knee" if row.is_knee else text))
    return dots


def _low(dot: Dot) -> float:
    return dot.y if dot.score.low is None else dot.score.low


def _layers(dots: list[Dot], frame: Frame, measure: str, unit: str, joined: str, *, ticks: int) -> Layered:
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", domain=list(frame.x), nice=False),
        axis=alt.Axis(
            values=log_ticks(*frame.x, ticks), format="~r", title=f"{unit} (log scale)", grid=False, titlePadding=10
        ),
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=list(frame.y), nice=False, zero=False),
        axis=alt.Axis(
            values=share_ticks(*frame.y, 7), labelExpr=PERCENT, title=measure, domain=False, ticks=False, minExtent=38,
            titleAngle=0, titleAlign="left", titleAnchor="end", titleX=-42, titleY=-8, titleBaseline="bottom",
        ),
    )  # fmt: skip
    rows: list[dict[str, Any]] = [
        {
            "x": dot.x, "y": dot.y, "low": _low(dot), "curve": str(dot.curve),
            "high": dot.y if dot.score.high is None else dot.score.high, "said": dot.spoken,
            "front": dot.row.on_front, "knee": dot.row.is_knee,
        }
        for dot in dots
    ]  # fmt: skip
    curves = sorted({dot.curve for dot in dots})
    names = [str(number) for number in curves]
    colour = alt.Color("curve:N", scale=alt.Scale(domain=names, range=[paint(c) for c in curves]), legend=None)
    form = alt.Shape("curve:N", scale=alt.Scale(domain=names, range=[shape(c) for c in curves]), legend=None)
    base = alt.Chart(inline(rows), width=frame.width, height=frame.height)
    return alt.layer(
        base.transform_filter(joined).mark_line(strokeWidth=2, opacity=1, aria=False).encode(x, y, colour, order="x:Q"),
        base.mark_rule(strokeWidth=1.5, opacity=0.75, aria=False).encode(
            x=x, y=alt.Y("low:Q"), y2="high:Q", color=colour
        ),
        base.transform_filter("datum.knee")
        .mark_point(size=420, strokeWidth=2, opacity=1, fill=PAINTS["--surface"], aria=False)
        .encode(x=x, y=y, color=colour),
        base.transform_filter("!datum.front")
        .mark_point(size=70, strokeWidth=1.5, opacity=1, fill=PAINTS["--surface"])
        .encode(x=x, y=y, stroke=colour, shape=form, description="said:N"),
        base.transform_filter("datum.front")
        .mark_point(size=90, filled=True, opacity=1)
        .encode(x=x, y=y, color=colour, shape=form, description="said:N"),
        *_label_layers(dots, frame, x, y, colour),
    )


def _label_layers(dots: list[Dot], frame: Frame, x: alt.X, y: alt.Y, colour: alt.Color) -> list[alt.Chart]:
    """The settings beside their points: the knees first and in full, then the ends of the curves, then the rest."""
    ends = {min((d.curve, d.place) for d in dots if d.curve == c) for c in {d.curve for d in dots}}
    ranked = sorted(
        dots, key=lambda d: (not d.row.is_knee, (d.curve, d.place) not in ends, not d.row.on_front, d.place)
    )
    texts = [(f"knee: {dot.row.setting}", "knee") if dot.row.is_knee else (dot.short,) for dot in ranked]
    reaches = [RING_PX if dot.row.is_knee else POINT_PX for dot in ranked]
    lines = [sorted((d.x, d.y) for d in dots if d.curve == curve) for curve in {d.curve for d in dots}]
    labels = labelled(frame, [(dot.x, dot.y) for dot in ranked], texts, reaches, lines)
    layers = []
    weights: tuple[tuple[bool, Literal["normal", "bold"]], ...] = ((False, "normal"), (True, "bold"))
    for is_knee, weight in weights:
        rows: list[dict[str, Any]] = [
            {"x": label.x, "y": label.y, "text": label.text, "curve": str(dot.curve)}
            for dot, label in zip(ranked, labels, strict=True)
            if label is not None and dot.row.is_knee == is_knee
        ]
        if rows:
            chart = alt.Chart(inline(rows)).mark_text(fontSize=12, fontWeight=weight, baseline="middle", aria=False)
            layers.append(chart.encode(x=x, y=y, text="text:N", color=colour))
    return layers
