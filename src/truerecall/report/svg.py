"""From a Vega-Lite chart to an SVG that takes its colours and its typeface from the page around it.

Charts are drawn in stand-in colours. In the SVG each becomes a CSS variable of the page, so that one picture works in
light and dark; the typeface is inherited; ids are made unique; each point says on hovering what it is.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

import altair as alt
import vl_convert

SERIES = 6
"""How many colours there are; further curves begin again, with another shape."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
PAINTS = {
    "--text": "#0a0b01",
    "--muted": "#0a0b02",
    "--rule": "#0a0b03",
    "--surface": "#0a0b04",
    **{f"--series-{number}": f"#0a0c{number:02d}" for number in range(1, SERIES + 1)},
}
PERCENT = "format(datum.value * 100, '.4~g') + ' %'"
"""How Vega is to write a share."""
MEASURED_WITH = "Liberation Sans"
"""Text is measured with a face as wide as the sans-serif faces of most systems."""
STYLE = {
    "background": "transparent",
    "font": MEASURED_WITH,
    "padding": 4,
    "view": {"stroke": "transparent"},
    "text": {"font": MEASURED_WITH},
    "axis": {
        **dict.fromkeys(("labelColor", "titleColor"), PAINTS["--muted"]),
        **dict.fromkeys(("gridColor", "domainColor", "tickColor"), PAINTS["--rule"]),
        **dict.fromkeys(("labelFont", "titleFont"), MEASURED_WITH),
        **dict.fromkeys(("labelFontSize", "titleFontSize"), 12),
        "titleFontWeight": "normal",
        "tickSize": 4,
        "labelPadding": 6,
    },
}
POINT = re.compile(r'<path aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="[^"]*"([^>]*)/>')


Layered = alt.LayerChart | alt.FacetChart


def inline(rows: list[dict[str, Any]]) -> alt.Data:
    """Rows as the values of a chart."""
    return alt.Data(values=rows)  # type: ignore[no-untyped-call]


def series(number: int) -> int:
    """The colour of the curve of that number (from 0), from 1."""
    return number % SERIES + 1


def paint(number: int) -> str:
    """The stand-in colour of that curve."""
    return PAINTS[f"--series-{series(number)}"]


def shape(number: int) -> str:
    return SHAPES[number % len(SHAPES)]


def as_svg(chart: Layered, *, name: str, title: str, description: str) -> str:
    """The chart as an SVG element; ``name`` is unique on the page and begins every id in it."""
    # Not validated and styled as a dictionary: either would take longer than all the drawing.
    svg = vl_convert.vegalite_to_svg({**chart.to_dict(validate=False), "config": STYLE})
    for variable, stand_in in PAINTS.items():
        svg = svg.replace(f'"{stand_in}"', f'"var({variable})"')
    svg = svg.replace(f' font-family="{MEASURED_WITH}"', "")
    svg = POINT.sub(r"<path\2><title>\1</title></path>", svg)
    svg = re.sub(r' (?:role|aria-roledescription|aria-label)="[^"]*"', "", svg)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
    opening, rest = svg.split(">", 1)
    opening = opening.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    labels = f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
    return f'{opening} role="img" aria-labelledby="{name}-title" aria-describedby="{name}-desc">{labels}{rest}'
