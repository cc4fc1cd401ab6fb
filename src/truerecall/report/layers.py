"""The layers of a picture of dots: lines, spreads, points, and labels where they have room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import altair as alt

from truerecall.report.axes import by_curve, share_axis
from truerecall.report.dots import Dot
from truerecall.report.frame import Frame, height_ticks, labelled, log_ticks
from truerecall.report.stretch import CROWD
from truerecall.report.svg import PAINTS, PERCENT, Layered, inline

POINT_PX, RING_PX = 7.0, 13.0


def layered(dots: Sequence[Dot], frame: Frame, measure: str, unit: str, *, ticks: int) -> Layered:
    """``ticks``: at most so many on the axis of costs."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", domain=list(frame.x), nice=False),
        axis=alt.Axis(
            values=log_ticks(*frame.x, ticks), format="~r", title=f"{unit} (log scale)", grid=False, titlePadding=10
        ),
    )
    y = share_axis(*frame.y, measure, height_ticks(frame), _share_expression(frame))
    colour, form = by_curve("series", {dot.series for dot in dots})
    base = alt.Chart(width=frame.width, height=frame.height)
    bars = 0.75 if len(dots) <= CROWD else 0.3  # paler in a crowd, lest they hide the dots
    faint, own = base.transform_filter("datum.faint"), base.transform_filter("!datum.faint")
    joined = own.transform_filter("datum.joined")
    return alt.layer(
        faint.mark_line(strokeWidth=1, opacity=0.6, aria=False).encode(x, y, colour, order="x:Q", detail="line:N"),
        joined.mark_line(strokeWidth=2, opacity=1, aria=False).encode(x, y, colour, order="x:Q", detail="line:N"),
        own.mark_rule(strokeWidth=1.5, opacity=bars, aria=False).encode(
            x=x, y=alt.Y("low:Q"), y2="high:Q", color=colour
        ),
        own.transform_filter("datum.left < datum.right")
        .mark_rule(strokeWidth=1.5, opacity=bars, aria=False)
        .encode(x=alt.X("left:Q"), x2="right:Q", y=y, color=colour),
        faint.mark_point(size=16, filled=True, opacity=0.6).encode(x, y, colour, description="said:N"),
        own.transform_filter("datum.knee")
        .mark_point(size=420, strokeWidth=2, opacity=1, fill=PAINTS["--surface"], aria=False)
        .encode(x=x, y=y, color=colour),
        own.transform_filter("datum.beaten")
        .mark_point(size=70, strokeWidth=1.5, opacity=1, fill=PAINTS["--surface"])
        .encode(x=x, y=y, stroke=colour, shape=form, description="said:N"),
        own.transform_filter("!datum.beaten")
        .mark_point(size=90, filled=True, opacity=1)
        .encode(x=x, y=y, color=colour, shape=form, description="said:N"),
        *_labels([dot for dot in dots if not dot.faint], frame, x, y, colour),
        data=inline([_row(dot, frame) for dot in dots]),
    )


def _share_expression(frame: Frame) -> str:
    """How Vega is to write a share that stands at a height."""
    if frame.stretch is None:
        return PERCENT
    below = PERCENT.replace("datum.value", "(1 - pow(10, -datum.value))")
    return f"datum.value > {frame.stretch.top - 1e-9} ? '100 %' : {below}"


def _row(dot: Dot, frame: Frame) -> dict[str, Any]:
    y, low, high = (frame.height_of(share) for share in (dot.y, dot.y_low, dot.y_high))
    return {
        "x": dot.cost.at, "y": y, "low": low, "high": high, "left": dot.cost.low,
        "right": dot.cost.high, "series": str(dot.series), "line": dot.line, "said": dot.spoken, "faint": dot.faint,
        "joined": dot.joined, "beaten": dot.beaten, "knee": dot.knee,
    }  # fmt: skip


def _labels(dots: Sequence[Dot], frame: Frame, x: alt.X, y: alt.Y, colour: alt.Color) -> list[alt.Chart]:
    """The settings beside their points: the knees first and in full, then the ends of the lines, then the rest."""
    ends = {min((d.series, d.place) for d in dots if d.series == s) for s in {d.series for d in dots}}
    ranked = sorted(dots, key=lambda d: (not d.knee, (d.series, d.place) not in ends, not d.joined, d.place))
    texts = [(f"knee: {dot.setting}", "knee") if dot.knee else (dot.short,) for dot in ranked]
    reaches = [RING_PX if dot.knee else POINT_PX for dot in ranked]
    lines = [sorted((d.cost.at, d.y) for d in dots if d.series == own and d.joined) for own in {d.series for d in dots}]
    labels = labelled(frame, [(dot.cost.at, dot.y) for dot in ranked], texts, reaches, lines)
    layers = []
    weights: tuple[tuple[bool, Literal["normal", "bold"]], ...] = ((False, "normal"), (True, "bold"))
    for is_knee, weight in weights:
        rows: list[dict[str, Any]] = [
            {"x": label.x, "y": label.y, "text": label.text, "series": str(dot.series)}
            for dot, label in zip(ranked, labels, strict=True)
            if label is not None and dot.knee == is_knee
        ]
        if rows:
            chart = alt.Chart(inline(rows))
            written = chart.mark_text(fontSize=12, fontWeight=weight, baseline="middle", aria=False)
            around = chart.mark_text(
                fontSize=12, fontWeight=weight, baseline="middle", aria=False, stroke=PAINTS["--surface"],
                strokeWidth=4, fill=PAINTS["--surface"], opacity=1,
            )  # fmt: skip
            layers.append(around.encode(x=x, y=y, text="text:N"))
            layers.append(written.encode(x=x, y=y, text="text:N", color=colour))
    return layers
