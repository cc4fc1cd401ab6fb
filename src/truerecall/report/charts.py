"""The pictures of a measure against what it costs, each as SVG for a wide and for a narrow page.

Families share a picture only where the cost is the same thing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from truerecall.report.curve_parts import Family, SettingRow
from truerecall.report.dots import Axis, Cost, dots_of
from truerecall.report.frame import around
from truerecall.report.layers import layered
from truerecall.report.stretch import stretch_of
from truerecall.report.summary_parts import Summary
from truerecall.report.svg import as_svg
from truerecall.report.timed import per_call
from truerecall.report.wording import spoken

COUNTED, SCANNED = "distance_computations", "vectors_scanned"
PART_OF = "coarse_distance_computations"
"""A part of another cost, which has no picture of its own."""

Numbered = Sequence[tuple[int, Family]]


@dataclass(frozen=True)
class Picture:
    """One chart, drawn for a wide page and again for a phone. ``numbers``: the families that it shows; ``stretched``:
    whether its axis of the measure is, which a reader must be told."""

    wide: str
    narrow: str
    title: str = ""
    numbers: tuple[int, ...] = ()
    stretched: bool = False


def latency_pictures(summary: Summary) -> list[Picture]:
    """The measure against p50 in milliseconds: a picture for calls of one query, and for batches of each size."""
    found: dict[str, list[tuple[int, Family]]] = {}
    for number, family in enumerate(summary.families):
        found.setdefault(per_call(family.mode), []).append((number, family))
    pictures = [
        picture(summary, own, Axis(f"latency-{place}", f"ms {call}, p50", _milliseconds, by_time=True))
        for place, (call, own) in enumerate(found.items())
    ]
    return [own for own in pictures if own is not None]


def rate_picture(summary: Summary) -> Picture | None:
    """The measure against answers per second, where there are several modes: the one thing that they have in common."""
    if len({family.mode for family in summary.families}) < 2:
        return None
    axis = Axis("rate", "answers a second", lambda row: _exactly(row.answers_per_s), by_time=False)
    return picture(summary, list(enumerate(summary.families)), axis)


def work_picture(summary: Summary) -> Picture | None:
    """The measure against the number of distances a query: as counted, else the vectors scanned by formula."""

    def compared(row: SettingRow) -> Cost | None:
        counted = row.spent(COUNTED)
        return _exactly(row.spent(SCANNED) if counted is None else counted)

    axis = Axis("distances", "distances a query", compared, by_time=False)
    return picture(summary, _once(summary), axis)


def other_pictures(summary: Summary) -> list[Picture]:
    """The measure against each other cost that an engine tells: lists, nodes, bytes."""
    names = dict.fromkeys(name for family in summary.families for name in family.costs)
    found: list[Picture] = []
    for name in names:
        if name in (COUNTED, SCANNED, PART_OF):
            continue
        own = [(number, family) for number, family in _once(summary) if name in family.costs]
        axis = Axis(f"cost-{len(found)}", f"{spoken(name)} a query", _spent(name), by_time=False)
        drawn = picture(summary, own, axis, wide=(420, 260))
        if drawn is not None:
            found.append(drawn)
    return found


def picture(summary: Summary, families: Numbered, axis: Axis, *, wide: tuple[int, int] = (860, 400)) -> Picture | None:
    """None where no setting has both the measure and the cost. All pictures of a summary have the same axis of it."""
    measure = summary.measure
    dots = dots_of(families, measure, axis)
    if not dots:
        return None
    title = f"{measure} against {axis.unit}"
    told = "; ".join(dot.spoken for dot in dots if dot.knee)
    description = f"A line for each index, with intervals. Knees: {told or 'none'}. The tables hold every number."
    rows = [row.measured(measure) for family in summary.families for row in family.settings]
    stretch = stretch_of([own.mean for own in rows if own is not None])
    drawn = []
    for page, (width, height) in (("wide", wide), ("narrow", (284, 300))):
        costs = [end for dot in dots for end in (dot.cost.low, dot.cost.high)]
        frame = around(costs, [dot.y_low for dot in dots], width, height, stretch)
        chart = layered(dots, frame, measure, axis.unit, ticks=9 if width > 500 else 5)
        drawn.append(as_svg(chart, name=f"{axis.name}-{page}", title=title, description=description))
    return Picture(drawn[0], drawn[1], title, tuple(sorted({dot.series for dot in dots})), stretch is not None)


def _once(summary: Summary) -> Numbered:
    """The first of the families that do the same work in other modes."""
    first: dict[tuple[str, ...], tuple[int, Family]] = {}
    for number, family in enumerate(summary.families):
        first.setdefault(family.work, (number, family))
    return list(first.values())


def _milliseconds(row: SettingRow) -> Cost | None:
    """The p50 with its ends over the passes."""
    if row.span is None:
        return None
    low, high = row.span.ends_s or (row.span.p50_s, row.span.p50_s)
    return Cost(row.span.p50_s * 1000, low * 1000, high * 1000)


def _spent(name: str) -> Callable[[SettingRow], Cost | None]:
    return lambda row: _exactly(row.spent(name))


def _exactly(at: float | None) -> Cost | None:
    return None if at is None else Cost(at, at, at)
