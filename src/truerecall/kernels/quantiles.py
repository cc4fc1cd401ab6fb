"""Percentiles of latency, and how many calls each of them needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CALLS_NEEDED = {50: 1, 95: 100, 99: 1_000}
"""Percentile -> the least number of calls that supports it: p95 and p99 stand on at least 5 and 10 slower calls."""

QUERIES_NEEDED = {50: 1, 95: 20, 99: 100}
"""Percentile -> of how many distinct queries the calls must be: with fewer, the slower calls may be one query's."""


def percentile(values: NDArray[np.float64], percent: int) -> float | None:
    """The smallest observed value that at least ``percent`` per cent of the values do not exceed.

    Always one of the values, never between two (the inverse of the empirical distribution: Hyndman and Fan 1996,
    definition 1). None where there are fewer values than CALLS_NEEDED says.
    """
    if len(values) < CALLS_NEEDED[percent]:
        return None
    return float(np.percentile(values, percent, method="inverted_cdf"))
