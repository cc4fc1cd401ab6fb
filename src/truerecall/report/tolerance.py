"""Curves of a measure over its tolerance: how much of what is missing is a near miss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from truerecall.model.measure_name import MeasureName
from truerecall.report.axes import by_curve, share_axis
from truerecall.report.charts import Picture
from truerecall.report.frame import share_ticks
from truerecall.report.point_parts import ScoreRow
from truerecall.report.svg import PAINTS, PERCENT, Layered, as_svg, inline
from truerecall.report.wording import percent


@dataclass(frozen=True)
class Line:
    """The scores of one set of answers at one depth under one or more tolerances, as the curve number ``number``."""

    number: int
    label: str
    scores: tuple[ScoreRow, ...]

    @property
    def points(self) -> list[tuple[float, float]]:
        """Tolerance and mean, ascending."""
        return sorted({point for score in self.scores if score.along is not None for point in score.along.means})

    @property
    def asked(self) -> list[tuple[float, float, str]]:
        """Those that were asked for, by name."""
        own = [(score.along, score.mean, score.measure) for score in self.scores]
        return [(along.asked, mean, name) for along, mean, name in own if along is not None and mean is not None]


def tolerance_pictures(named: Sequence[tuple[int, str, Sequence[ScoreRow]]], *, name: str) -> list[Picture]:
    """A picture for each measure and depth that has such a curve. ``named``: the number of each set of answers, what it
    is called, and its scores; ``name`` is unique on the page."""
    depths: dict[str, list[Line]] = {}
    for number, label, scores in named:
        drawn: dict[str, list[ScoreRow]] = {}
        for score in scores:
            if score.along is not None and score.mean is not None:
                own = MeasureName.parse(score.measure)
                drawn.setdefault(f"{own.base}@{own.k}", []).append(score)
        for measure, rows in drawn.items():
            depths.setdefault(measure, []).append(Line(number, label, tuple(rows)))
    return [_picture(measure, lines, f"{name}-{place}") for place, (measure, lines) in enumerate(depths.items())]


def _picture(measure: str, lines: Sequence[Line], name: str) -> Picture:
    title = f"{measure} over its tolerance"
    said = "; ".join(
        f"{line.label}, {asked}: {percent(mean)} at {100 * x:.3g} %" for line in lines for x, mean, asked in line.asked
    )
    drawn = [
        as_svg(_layers(measure, lines, width, height), name=f"{name}-{page}", title=title, description=said)
        for page, width, height in (("wide", 860, 300), ("narrow", 284, 240))
    ]
    return Picture(drawn[0], drawn[1])


def _layers(measure: str, lines: Sequence[Line], width: int, height: int) -> Layered:
    points = [(line, x, mean) for line in lines for x, mean in line.points]
    low = min(mean for _, _, mean in points)
    floor = max(0.0, low - 0.12 * max(1 - low, 0.02))
    ceiling = 1 + 0.05 * (1 - floor)
    right = max(x for _, x, _ in points)
    x_axis = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0, 1.02 * right], nice=False),
        axis=alt.Axis(
            labelExpr=PERCENT, title="tolerance", grid=False, titlePadding=10, tickCount=8 if width > 500 else 4
        ),
    )
    y = share_axis(floor, ceiling, measure, share_ticks(floor, ceiling, 6))
    colour, form = by_curve("curve", {line.number for line in lines})
    along: list[dict[str, Any]] = [{"x": x, "y": mean, "curve": str(line.number)} for line, x, mean in points]
    asked: list[dict[str, Any]] = [
        {
            "x": x, "y": mean, "curve": str(line.number),
            "said": f"{line.label}, {name}: {percent(mean)} at a tolerance of {100 * x:.3g} %",
        }
        for line in lines
        for x, mean, name in line.asked
    ]  # fmt: skip
    base = alt.Chart(inline(along), width=width, height=height)
    marked = alt.Chart(inline(asked))
    return alt.layer(
        base.mark_line(strokeWidth=2, opacity=1, aria=False).encode(x_axis, y, colour, order="x:Q"),
        base.mark_point(size=26, filled=True, opacity=1, aria=False).encode(x_axis, y, color=colour, shape=form),
        marked.mark_point(size=300, strokeWidth=2, opacity=1, fill=PAINTS["--surface"], aria=False).encode(
            x_axis, y, color=colour
        ),
        marked.mark_point(size=80, filled=True, opacity=1).encode(
            x_axis, y, color=colour, shape=form, description="said:N"
        ),
    )
