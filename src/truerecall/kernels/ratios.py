"""95 % intervals of what is no plain mean: ratios, medians, skewness, shares.

The percentile bootstrap of Efron (1979), over independent draws from each group of values; for shares the interval of
Wilson (1927), JASA 22, 209-212, which holds also where the share is 0 or 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]
DRAWS = 2_000
NORMAL_975 = 1.959963984540054


def bootstrap_interval(
    statistic: Callable[..., float], *groups: NDArray[Any], seed: int, draws: int = DRAWS
) -> Interval | None:
    """The interval of ``statistic(*groups)``; each group is resampled along its first axis by itself.

    Draws for which the statistic is not finite are passed over; None where a group holds fewer than two values, or
    where no draw is left.
    """
    if min(len(group) for group in groups) < 2:
        return None
    random = np.random.default_rng(seed)
    found = np.array(
        [statistic(*(group[random.integers(len(group), size=len(group))] for group in groups)) for _ in range(draws)]
    )
    found = found[np.isfinite(found)]
    if not len(found):
        return None
    low, high = np.quantile(found, (0.025, 0.975))
    return float(low), float(high)


def skewness_interval(counts: NDArray[np.int64], *, seed: int, draws: int = DRAWS) -> Interval | None:
    """``bootstrap_interval`` of the skewness of whole numbers, from how often each value is drawn: the same draws in
    kind, and much faster where few values differ."""
    if len(counts) < 2:
        return None
    values, often = np.unique(counts, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(len(counts), often / len(counts), size=draws) / len(counts)
    deviations = values - (drawn @ values)[:, None]
    variances = (drawn * deviations**2).sum(axis=1)
    found = ((drawn * deviations**3).sum(axis=1))[variances > 0] / variances[variances > 0] ** 1.5
    if not len(found):
        return None
    low, high = np.quantile(found, (0.025, 0.975))
    return float(low), float(high)


def wilson_interval(hits: int, n: int) -> Interval | None:
    """The interval of the share ``hits / n``; None of nothing. 951 of 1000 has [.936, .963]."""
    if n == 0:
        return None
    share, square = hits / n, NORMAL_975**2
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = NORMAL_975 * float(np.sqrt(share * (1 - share) / n + square / (4 * n * n))) / (1 + square / n)
    return (0.0 if hits == 0 else middle - half), (1.0 if hits == n else middle + half)
