"""95 % intervals of a mean over queries. The query is the unit of sampling, never the single hit.

Source of the bias-corrected and accelerated bootstrap: Efron (1987), "Better bootstrap confidence intervals",
JASA 82, 171-185; for a mean its acceleration has a closed form. Source of the rule of three: Hanley and
Lippman-Hand (1983), "If nothing goes wrong, is everything all right?", JAMA 249, 1743-1745.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

Floats = NDArray[np.float64]

DRAWS = 5_000
"""How many resamples: the ends then wander by about 0.04 standard errors from seed to seed."""

TAILS = (0.025, 0.975)
VALUES_AT_ONCE = 1 << 20
ROUNDING = 1e-12


def mean_interval(values: Floats, *, seed: int, draws: int = DRAWS) -> tuple[tuple[float, float] | None, str]:
    """The 95 % interval of the mean of values in [0, 1], and the name of the method.

    ``bca`` in general; ``rule-of-three`` where all values are equal, since resampling them would give an interval
    of no width; None and ``none`` for fewer than two values, whose spread is unknown. The order of ``values`` does
    not matter.
    """
    if len(values) < 2:
        return None, "none"
    if values.min() == values.max():
        return rule_of_three(float(values[0]), len(values)), "rule-of-three"
    return bca_interval(values, seed=seed, draws=draws), "bca"


def rule_of_three(value: float, n: int) -> tuple[float, float]:
    """The interval where all of n queries have the same value in [0, 1].

    With 95 % confidence at most 3/n of all queries deviate (at most all of them), each at most down to 0 or up to 1.
    """
    share = min(1.0, 3.0 / n)
    return value - share * value, value + share * (1.0 - value)


def bca_interval(values: Floats, *, seed: int, draws: int = DRAWS) -> tuple[float, float]:
    """The BCa bootstrap interval of the mean of at least two values that are not all equal.

    The same seed gives the same interval. Memory stays at a few megabytes however many values there are.
    """
    ordered = np.sort(values)
    mean = float(ordered.mean())
    means = _resampled_means(ordered, draws, np.random.default_rng(seed))
    tie = ROUNDING * float(ordered[-1] - ordered[0])
    below = float((means < mean - tie).mean() + (means <= mean + tie).mean()) / 2.0
    # The clip keeps the bias finite where every resample falls on one side.
    bias = float(ndtri(np.clip(below, 0.5 / draws, 1.0 - 0.5 / draws)))
    shifted = bias + ndtri(np.array(TAILS))
    # |acceleration| <= 1/6, so that the divisor stays above 0 for any bias that the clip lets through.
    tails = ndtr(bias + shifted / (1.0 - acceleration(ordered) * shifted))
    low, high = np.quantile(means, tails)
    return float(low), float(high)


def acceleration(values: Floats) -> float:
    """The jackknife's acceleration of a mean: a sixth of the skewness of the values over the root of their number."""
    deviation = values - values.mean()
    return float((deviation**3).sum() / (6.0 * (deviation**2).sum() ** 1.5))


def _resampled_means(values: Floats, draws: int, random: np.random.Generator) -> Floats:
    n = len(values)
    means = np.empty(draws)
    batch = max(1, VALUES_AT_ONCE // n)
    for start in range(0, draws, batch):
        rows = min(batch, draws - start)
        means[start : start + rows] = values[random.integers(n, size=(rows, n))].mean(axis=1)
    return means
