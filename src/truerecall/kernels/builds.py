"""How much of a difference is left when another build is made: variance over queries, over builds, and over both.

    Var(mean) = s_q^2 / n + s_b^2 / B + s_qb^2 / (n B)

for n queries and B builds of a setting. The components are those of a two-way layout with one value per cell: Searle,
Casella and McCulloch (1992), "Variance components", chapter 4; the degrees of freedom of their sum: Satterthwaite
(1946), Biometrics Bulletin 2, 110-114. A share of a recall is drawn anew by either; what is spread over builds of one
side stands for the other where that has one build.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from truerecall.kernels.resampling import standard_error, units_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def spread_of_means(means: Floats) -> tuple[float, float | None]:
    """The mean of the means of several builds and their standard deviation, which one build does not have."""
    return float(means.mean()), float(means.std(ddof=1)) if len(means) > 1 else None


def variance_of_difference(
    first: Floats, second: Floats, clusters: Integers | None = None
) -> tuple[float, float, float, float]:
    """The parts of the variance of the difference of two settings' means that are of queries and of builds, and the
    degrees of freedom of each.

    ``first`` and ``second``: a row for each build, a column for each query; two builds of one of them at least, and
    two queries. What builds and queries do together is in the part of the builds.
    """
    sides = [side for side in (first, second) if len(side) > 1]
    build_freedom = sum(len(side) - 1 for side in sides)
    over_builds = sum(((side.mean(axis=1) - side.mean()) ** 2).sum() for side in sides) / build_freedom
    residual = sum((_residuals(side) ** 2).sum() for side in sides) / (build_freedom * (first.shape[1] - 1))
    each = 1 / len(first) + 1 / len(second)
    differences = second.mean(axis=0) - first.mean(axis=0)
    sums, sizes = units_of(differences, clusters)
    over_queries = standard_error(sums, sizes) ** 2 - residual * each / first.shape[1]
    return max(over_queries, 0.0), float(over_builds * each), float(len(sums) - 1), float(build_freedom)


def satterthwaite(parts: tuple[float, float], freedoms: tuple[float, float]) -> float:
    """The degrees of freedom of a sum of two estimated variances."""
    below = sum(part**2 / freedom for part, freedom in zip(parts, freedoms, strict=True))
    return sum(parts) ** 2 / below if below else min(freedoms)


def t_interval(mean: float, variance: float, freedom: float) -> tuple[float, float]:
    """The 95 % interval of a mean with an estimated variance."""
    half = float(stdtrit(freedom, 0.975)) * math.sqrt(variance)
    return mean - half, mean + half


def t_p(mean: float, variance: float, freedom: float) -> float:
    """The two-sided p of a mean of 0; 1 where the mean is 0, 0 where it is not and nothing varies."""
    if mean == 0 or variance == 0:
        return float(mean == 0)
    return float(2 * stdtr(freedom, -abs(mean) / math.sqrt(variance)))


def _residuals(side: Floats) -> Floats:
    return np.asarray(side - side.mean(axis=1, keepdims=True) - side.mean(axis=0) + side.mean())
