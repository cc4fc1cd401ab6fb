"""The 95 % interval of a mean over queries, by the method that holds for the values at hand.

Source of the rule of three: Hanley and Lippman-Hand (1983), "If nothing goes wrong, is everything all right?", JAMA
249, 1743-1745. Which method holds where was measured: docs/uncertainty.md.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from truerecall.kernels.resampling import (
    DRAWS,
    HALF,
    bayesian_interval,
    bca_interval,
    standard_error,
    units_of,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Interval = tuple[float, float]

SHARES = (0.0, 1.0)
UNSEEN_MATTERS = 0.25
"""From so many standard errors on that half an unseen unit at a bound would move a mean, it is reckoned with."""

ALWAYS = 0.0
"""For differences, most of which are often 0: BCa holds their mean too seldom even for hundreds of queries."""


def mean_interval(
    values: Floats,
    *,
    seed: int,
    draws: int = DRAWS,
    bounds: Interval = SHARES,
    clusters: Integers | None = None,
    unseen: float = UNSEEN_MATTERS,
) -> tuple[Interval | None, str]:
    """The 95 % interval of the mean of values within ``bounds``, and the name of the method.

    ``bca`` where the values say enough of the rest; ``bayesian-bootstrap`` where one unit that was not seen could
    move the mean by much, as near 1 or for few units: there BCa holds the mean too seldom; ``rule-of-three`` where all
    values are equal, since resampling them would give an interval of no width; None and ``none`` for fewer than two
    units, or equal values without a bound. ``clusters``: whole ones are drawn. ``unseen``: by how many standard errors
    half an unseen unit has to move the mean to be reckoned with. The order does not matter.
    """
    sums, sizes = units_of(values, clusters) if len(values) else (values, values)
    if len(sums) < 2:
        return None, "none"
    bounded = all(map(math.isfinite, bounds))
    if values.min() == values.max():
        if not bounded:
            return None, "none"
        return rule_of_three(float(values[0]), len(sums), bounds), "rule-of-three"
    if bounded and unseen_shift(values, len(sums), bounds) > unseen * standard_error(sums, sizes):
        return bayesian_interval(sums, sizes, bounds, seed=seed, draws=draws), "bayesian-bootstrap"
    return bca_interval(sums, sizes, seed=seed, draws=draws), "bca"


def unseen_shift(values: Floats, units: int, bounds: Interval) -> float:
    """How far half a unit at the farther bound would move the mean."""
    mean = float(values.mean())
    return HALF * max(mean - bounds[0], bounds[1] - mean) / units


def rule_of_three(value: float, n: int, bounds: Interval = SHARES) -> Interval:
    """The interval where all of n units have the same value within the bounds.

    With 95 % confidence at most 3/n of all deviate (at most all of them), each at most down to one bound or up to the
    other.
    """
    share = min(1.0, 3.0 / n)
    return value - share * (value - bounds[0]), value + share * (bounds[1] - value)


def split_half(values: Floats, *, seed: int, clusters: Integers | None = None) -> float | None:
    """How far the means of two random halves of the units are apart; None for fewer than two units."""
    sums, sizes = units_of(values, clusters) if len(values) else (values, values)
    if len(sums) < 2:
        return None
    order = np.random.default_rng(seed).permutation(len(sums))
    halves = np.array_split(order, 2)
    one, other = (float(sums[half].sum() / sizes[half].sum()) for half in halves)
    return abs(one - other)
