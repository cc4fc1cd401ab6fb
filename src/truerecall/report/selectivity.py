"""The picture of a measure by how many of the rows may answer."""

from __future__ import annotations

from typing import Any

import altair as alt

from truerecall.report.axes import by_curve, share_axis
from truerecall.report.behind import BehindTable
from truerecall.report.charts import Picture
from truerecall.report.estimates import measured_text
from truerecall.report.frame import share_ticks
from truerecall.report.svg import PERCENT, Layered, as_svg, inline
from truerecall.report.wording import percent


def selectivity_picture(table: BehindTable | None, measure: str) -> Picture | None:
    """Each family at the setting that stands for it, with a line through the filters that keep a drawn part of the
    rows: between those that look at a real column there is no other. None where no point has a score."""
    dots = [] if table is None else _dots(table, measure)
    if not dots:
        return None
    title = f"{measure} by the share of the rows that may answer"
    told = "; ".join(dot["said"] for dot in dots)
    drawn = [
        as_svg(_layers(dots, measure, width, height), name=f"selectivity-{page}", title=title, description=told)
        for page, width, height in (("wide", 860, 300), ("narrow", 284, 240))
    ]
    return Picture(drawn[0], drawn[1], title, tuple(sorted({dot["number"] for dot in dots})))


def _dots(table: BehindTable, measure: str) -> list[dict[str, Any]]:
    dots = []
    for line in table.lines:
        for cell, own in zip(line.cells, table.narrowings, strict=True):
            score = None if cell is None else cell.row.measured(measure)
            if line.reading and score is not None:
                said = f"{line.label} at {line.setting}, {own.text} ({percent(own.share)}): {measured_text(score)}"
                dots.append({
                    "x": own.share, "y": score.mean, "low": score.mean if score.low is None else score.low,
                    "high": score.mean if score.high is None else score.high, "curve": str(line.number),
                    "number": line.number, "said": said, "drawn": own.by_chance,
                })  # fmt: skip
    return dots


def _layers(dots: list[dict[str, Any]], measure: str, width: int, height: int) -> Layered:
    shares = sorted({dot["x"] for dot in dots})
    floor = max(0.0, min(dot["low"] for dot in dots) - 0.05)
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", domain=[shares[0] * 0.8, 1.15], nice=False, reverse=True),
        axis=alt.Axis(
            values=shares, labelExpr=PERCENT, title="of the rows may answer", grid=False, titlePadding=10,
            labelOverlap=True,
        ),
    )  # fmt: skip
    ceiling = 1 + 0.05 * (1 - floor)
    y = share_axis(floor, ceiling, measure, share_ticks(floor, ceiling, 6))
    colour, form = by_curve("curve", {dot["number"] for dot in dots})
    base = alt.Chart(inline(dots), width=width, height=height)
    drawn = alt.Chart(inline([dot for dot in dots if dot["drawn"]]))
    return alt.layer(
        base.mark_rule(strokeWidth=1.5, opacity=0.7, aria=False).encode(x, alt.Y("low:Q"), alt.Y2("high:Q"), colour),
        drawn.mark_line(strokeWidth=2, opacity=1, aria=False).encode(x, y, colour, order="x:Q"),
        base.mark_point(size=80, filled=True, opacity=1).encode(x, y, color=colour, shape=form, description="said:N"),
    )
