"""What a picture of a measure against a cost shows: a dot for each setting, with what is known of its spread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from truerecall.report.curve_parts import Family, OverBuilds, SettingRow
from truerecall.report.estimates import measured_text
from truerecall.report.families import setting_row
from truerecall.report.wording import significant


@dataclass(frozen=True)
class Cost:
    """A cost and its spread: ``low`` and ``high`` are ``at`` where none is known."""

    at: float
    low: float
    high: float


@dataclass(frozen=True)
class Axis:
    """A cost that a picture is drawn over. ``of``: that of a setting, None where it is not known.

    ``by_time``: whether the front, which is one of latency, says which points a line runs through and which are beaten.
    """

    name: str
    unit: str
    of: Callable[[SettingRow], Cost | None]
    by_time: bool


@dataclass(frozen=True)
class Dot:
    """A setting that can be drawn. ``series``: the number of its family; ``line``: what it is joined with.

    ``y_low`` to ``y_high``: the interval of the measure over queries, or over builds. ``faint``: one build of several.
    """

    series: int
    line: str
    place: int
    cost: Cost
    y: float
    y_low: float
    y_high: float
    joined: bool
    beaten: bool
    knee: bool
    faint: bool
    short: str
    setting: str
    spoken: str


def dots_of(families: Sequence[tuple[int, Family]], measure: str, axis: Axis) -> list[Dot]:
    """The dots of the numbered families: their settings, and those of each build where there are several."""
    dots = []
    for number, family in families:
        several = len(family.curves) > 1
        dots += _row_dots(number, family.label, str(number), family.settings, measure, axis, faint=False)
        for place, curve in enumerate(family.curves if several else ()):
            rows = [setting_row(point.setting, [point]) for point in curve.points]
            dots += _row_dots(number, curve.label, f"{number}/{place}", rows, measure, axis, faint=True)
    return dots


def _row_dots(
    number: int, label: str, line: str, rows: Sequence[SettingRow], measure: str, axis: Axis, *, faint: bool
) -> list[Dot]:
    found = []
    for place, row in enumerate(rows):
        cost, own = axis.of(row), row.measured(measure)
        if cost is None or cost.low <= 0 or own is None:
            continue
        found.append(_dot(number, label, line, place, row, own, cost, axis, faint=faint))
    return found


def _dot(
    number: int,
    label: str,
    line: str,
    place: int,
    row: SettingRow,
    own: OverBuilds,
    cost: Cost,
    axis: Axis,
    *,
    faint: bool,
) -> Dot:
    short = row.setting.split("=")[1] if row.setting.count("=") == 1 else row.setting
    spread = f" ({significant(cost.low)} to {significant(cost.high)})" if cost.low < cost.high else ""
    text = f"{label}, {row.setting}: {measured_text(own)} at {significant(cost.at)}{spread} {axis.unit}"
    return Dot(
        series=number,
        line=line,
        place=place,
        cost=cost,
        y=own.mean,
        y_low=own.mean if own.low is None else own.low,
        y_high=own.mean if own.high is None else own.high,
        joined=row.on_front or not axis.by_time,
        beaten=row.beaten and axis.by_time,
        knee=row.is_knee and not faint,
        faint=faint,
        short=short,
        setting=row.setting,
        spoken=f"{text}, the knee" if row.is_knee else text,
    )
