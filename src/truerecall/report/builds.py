"""What each build took and takes: rows of a table, and bars where there are several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from truerecall.model.curve import Curve
from truerecall.model.run import Build, Setup
from truerecall.report.frame import CHARACTER_PX
from truerecall.report.names import family_of
from truerecall.report.summary_parts import BuildRow
from truerecall.report.svg import PAINTS, as_svg, inline, paint
from truerecall.report.wording import duration, shortened, size

WIDTH, BAR_PX, VALUE_PX = 340, 24, 66
LONGEST_NAME = 26
"""Longer names are cut in the picture; the table has them whole."""
MOST_BARS = 24
"""More builds stand in the table alone."""


def build_rows(curves: Sequence[Curve]) -> tuple[BuildRow, ...]:
    """Each build once, in the order in which they occur."""
    families = list(dict.fromkeys(family_of(curve) for curve in curves))
    first: dict[tuple[str, int], tuple[int, Setup]] = {}
    for curve in curves:
        setup = curve.points[0].run.setup
        first.setdefault((setup.build.id, setup.build.number), (families.index(family_of(curve)), setup))
    alike = [setup.built for _, setup in first.values()]
    return tuple(
        _row(setup.built if alike.count(setup.built) == 1 else _numbered(setup), series, setup.build)
        for series, setup in first.values()
    )


def _numbered(setup: Setup) -> str:
    return f"{setup.built}, build {setup.build.number + 1}"


def _row(name: str, series: int, build: Build) -> BuildRow:
    return BuildRow(
        name=name,
        series=series,
        seed=build.seed,
        seconds=build.seconds,
        size_bytes=build.state.size_bytes,
        rows=build.state.rows,
        threads=build.threads,
        id=build.id[:12],
    )


def build_pictures(rows: Sequence[BuildRow]) -> list[tuple[str, str]]:
    """A title and a picture of build time, and of index size where an engine tells it; none for a single build."""
    if not 1 < len(rows) <= MOST_BARS:
        return []
    times = [(row, row.seconds, duration(row.seconds)) for row in rows if row.seconds is not None]
    sizes = [(row, row.size_bytes, size(row.size_bytes)) for row in rows if row.size_bytes is not None]
    drawn = [("Build time", _bars("build-time", "Build time", times))] if times else []
    return [*drawn, ("Index size", _bars("index-size", "Index size", sizes))] if sizes else drawn


def _bars(name: str, what: str, values: Sequence[tuple[BuildRow, float, str]]) -> str:
    most = max(value for _, value, _ in values) or 1.0
    rows: list[dict[str, Any]] = [
        {
            "id": str(place),
            "name": shortened(row.name, LONGEST_NAME),
            "value": value,
            "text": text,
            "series": str(row.series),
        }
        for place, (row, value, text) in enumerate(values)
    ]
    numbers = sorted({row.series for row, _, _ in values})
    colours = alt.Scale(domain=[str(n) for n in numbers], range=[paint(n) for n in numbers])
    room = CHARACTER_PX * max(len(str(row["name"])) for row in rows) + 8
    x = alt.X("value:Q", scale=alt.Scale(domain=[0, most], nice=False), axis=None)
    y = alt.Y("id:O", sort=None, axis=None)
    base = alt.Chart(inline(rows), width=WIDTH - room - VALUE_PX, height=BAR_PX * len(rows))
    name_text = base.mark_text(align="right", fontSize=12, color=PAINTS["--muted"], aria=False)
    chart = alt.layer(
        base.mark_rule(opacity=0, color=PAINTS["--surface"], aria=False).encode(
            x=alt.value(-room), x2=alt.value(0), y=y
        ),  # keeps room for names
        base.mark_bar(size=12, opacity=1, aria=False).encode(x, y, alt.Color("series:N", scale=colours, legend=None)),
        base.mark_text(align="left", dx=6, fontSize=12, color=PAINTS["--text"], aria=False).encode(x, y, text="text:N"),
        name_text.encode(x=alt.value(-8), y=y, text="name:N"),
    )
    said = "; ".join(f"{row.name}: {text}" for row, _, text in values)
    return as_svg(chart, name=name, title=f"{what} of each build", description=said)
