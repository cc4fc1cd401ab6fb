"""Which settings are worth their cost, and where more effort stops paying."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ROUNDING = 1e-12


def pareto_front(cost: Floats, quality: Floats) -> list[int]:
    """The points, by cost, for which no other is at least as good in both cost and quality and better in one.

    Less cost and more quality are better. Points that are equal in both stand together on the front, or off it.
    """
    front: list[int] = []
    for point in np.lexsort((-quality, cost)).tolist():
        last = front[-1] if front else None
        if last is None or quality[point] > quality[last] or _equal(point, last, cost, quality):
            front.append(point)
    return front


def knee(cost: Floats, quality: Floats) -> int | None:
    """The point of a front, given by cost, that lies farthest above the chord between the front's ends.

    The logarithm of the cost and the quality are both stretched to [0, 1], so that a step counts by how many times
    more it costs. None for fewer than three points, where no point lies above the chord, and where a cost is not
    positive. The idea is Kneedle's: Satopää, Albrecht, Irwin and Raghavan, "Finding a Kneedle in a haystack",
    ICDCSW 2011, doi:10.1109/ICDCSW.2011.20; without its smoothing, since a sweep has few points.
    """
    if len(cost) < 3 or cost.min() <= 0 or cost[0] == cost[-1]:
        return None
    effort = np.log(cost / cost[0]) / np.log(cost[-1] / cost[0])
    gain = (quality - quality[0]) / (quality[-1] - quality[0])
    height = gain - effort
    highest = int(np.argmax(height))
    return highest if height[highest] > ROUNDING else None


def _equal(point: int, other: int, cost: Floats, quality: Floats) -> bool:
    return bool(cost[point] == cost[other] and quality[point] == quality[other])
