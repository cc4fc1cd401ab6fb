"""The geometry of a chart: where the axes begin and end, where the ticks stand, and where a label has room."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from truerecall.report.stretch import Stretch

Place = tuple[float, float]
CHARACTER_PX = 6.6
LINE_PX = 14
GAP_PX = 3
STEP_PX = 5


@dataclass(frozen=True)
class Frame:
    """A drawing area with a logarithmic x axis; pixels run from the upper left corner. ``y``: the ends of the other
    axis as it is drawn, shares or, where it has a ``stretch``, the heights of that."""

    width: int
    height: int
    x: tuple[float, float]
    y: tuple[float, float]
    stretch: Stretch | None = None

    def height_of(self, share: float) -> float:
        """A share as it is drawn."""
        return share if self.stretch is None else self.stretch.height(share)

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        left, right = (math.log10(end) for end in self.x)
        across = (math.log10(x) - left) / (right - left)
        return across * self.width, (self.y[1] - self.height_of(y)) / (self.y[1] - self.y[0]) * self.height

    def place(self, across: float, down: float) -> tuple[float, float]:
        """Where a pixel lies: the inverse of ``pixel``, with the share as it is drawn."""
        left, right = (math.log10(end) for end in self.x)
        x = 10 ** (left + across / self.width * (right - left))
        return x, self.y[1] - down / self.height * (self.y[1] - self.y[0])


@dataclass(frozen=True)
class Label:
    """A text and where its centre stands, as it is drawn in a frame."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def around(
    xs: Sequence[float], lows: Sequence[float], width: int, height: int, stretch: Stretch | None = None
) -> Frame:
    """A frame with some air around positive ``xs`` and shares whose lowest end is ``min(lows)``; y ends just over 1."""
    left, right = min(xs), max(xs)
    air = max((right / left) ** 0.06, 1.25)
    low = max(0.0, min(lows))
    if stretch is not None:
        bottom = stretch.height(low)
        span = stretch.top - bottom
        y = (bottom - 0.08 * span, stretch.top + 0.05 * span)
        return Frame(width, height, (left / air, right * air), y, stretch)
    span = max(1 - low, 0.02)
    return Frame(width, height, (left / air, right * air), (max(-0.02, low - 0.08 * span), 1 + 0.05 * span))


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers between the ends: 1, 2 and 5 of each decade, or the decades alone where that is too many."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1, 2, 5), (1, 3), (1,)):
        ticks = [step * 10.0**decade for decade in decades for step in steps if low <= step * 10.0**decade <= high]
        if len(ticks) <= most:
            break
    return ticks


def share_ticks(low: float, high: float, most: int) -> list[float]:
    """Round shares between the ends, at most ``most``, never over 1."""
    for step in (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5):
        first, last = math.ceil(low / step - 1e-9), math.floor(min(high, 1.0) / step + 1e-9)
        if last - first < most:
            return [round(number * step, 6) for number in range(max(first, 0), last + 1)]
    return [0.0, 1.0]


def height_ticks(frame: Frame) -> list[float]:
    """Where the axis of shares has its ticks, as it is drawn."""
    if frame.stretch is None:
        return share_ticks(*frame.y, 7)
    most = 10 ** -frame.y[0]
    missed = {*log_ticks(frame.stretch.least * 1.5, most, 8), *([0.5] if most > 0.5 else [])}
    return [frame.stretch.height(1 - share) for share in sorted(missed, reverse=True)] + [frame.stretch.top]


def labelled(
    frame: Frame,
    points: Sequence[Place],
    texts: Sequence[Sequence[str]],
    reaches: Sequence[float],
    lines: Sequence[Sequence[Place]],
) -> list[Label | None]:
    """A label for each point, or None where it finds no room.

    ``texts``: what each point may be called, the fullest first; the first that finds room is taken. ``reaches``: how
    far each point reaches from its centre, in pixels. A label stands on no point, on none of the ``lines`` and on no
    other label; earlier points choose first.
    """
    pixels = [frame.pixel(x, y) for x, y in points]
    taken = [_around(x, y, reach) for (x, y), reach in zip(pixels, reaches, strict=True)]
    for line in lines:
        taken += _trail([frame.pixel(x, y) for x, y in line])
    labels: list[Label | None] = []
    for (x, y), names, reach in zip(pixels, texts, reaches, strict=True):
        free = next(
            (
                (text, centre)
                for text in names
                for centre in _tried(x, y, text, reach)
                if _inside(_box(centre, text), frame) and not any(_box(centre, text).overlaps(t) for t in taken)
            ),
            None,
        )
        if free is not None:
            taken.append(_box(free[1], free[0]))
        labels.append(None if free is None else Label(free[0], *frame.place(*free[1])))
    return labels


def _tried(x: float, y: float, text: str, reach: float) -> Iterator[Place]:
    """The centres that a label may take, the best first: beside its point and a little off its line."""
    aside, over = len(text) * CHARACTER_PX / 2 + reach + GAP_PX + 1, LINE_PX / 2 + reach + 2
    for step, way in ((1, 1), (-1, -1), (0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1), (2, 1), (-2, -1)):
        yield x + way * aside, y + step * over


def _around(x: float, y: float, reach: float) -> Box:
    return Box(x - reach, y - reach, x + reach, y + reach)


def _trail(pixels: Sequence[Place]) -> list[Box]:
    """Small boxes along a line."""
    boxes = []
    for (x, y), (to_x, to_y) in pairwise(pixels):
        steps = max(1, round(math.hypot(to_x - x, to_y - y) / STEP_PX))
        boxes += [
            _around(x + (to_x - x) * n / steps, y + (to_y - y) * n / steps, STEP_PX / 3) for n in range(steps + 1)
        ]
    return boxes


def _box(centre: Place, text: str) -> Box:
    """The room that a text takes around its centre."""
    x, y = centre
    half = len(text) * CHARACTER_PX / 2
    return Box(x - half - GAP_PX, y - LINE_PX / 2, x + half + GAP_PX, y + LINE_PX / 2)


def _inside(box: Box, frame: Frame) -> bool:
    return box.left >= 0 and box.right <= frame.width + 8 and box.top >= -8 and box.bottom <= frame.height
