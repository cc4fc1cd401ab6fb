"""What the pictures of a measure have in common: the axis of its shares, and how a curve is told from the others."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import altair as alt

from truerecall.report.svg import PERCENT, paint, shape


def share_axis(low: float, high: float, title: str, ticks: Sequence[float], written: str = PERCENT) -> alt.Y:
    """The field "y" from ``low`` to ``high``, with its ``ticks`` as ``written`` says, and the title over the axis."""
    return alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[low, high], nice=False, zero=False),
        axis=alt.Axis(
            values=list(ticks), labelExpr=written, title=title, domain=False, ticks=False,
            minExtent=38, titleAngle=0, titleAlign="left", titleAnchor="end", titleX=-42, titleY=-8,
            titleBaseline="bottom",
        ),
    )  # fmt: skip


def by_curve(field: str, numbers: Collection[int]) -> tuple[alt.Color, alt.Shape]:
    """The colour and the shape of each curve; ``field`` holds its number as a text."""
    drawn = sorted(set(numbers))
    names = [str(number) for number in drawn]
    return (
        alt.Color(f"{field}:N", scale=alt.Scale(domain=names, range=[paint(n) for n in drawn]), legend=None),
        alt.Shape(f"{field}:N", scale=alt.Scale(domain=names, range=[shape(n) for n in drawn]), legend=None),
    )
