"""How far answers lie beside the true neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def inverse_ratio(came: Floats, true: Floats, size: Integers) -> Floats:
    """For each row ``size`` over the sum of came / true, over the first ``size`` places of both.

    Both ascend along the last axis; what did not come is infinite or absent. 0/0 is 1: that row is as near as can be.
    Anything over 0, and a missing row, make the sum infinite and the value 0. The value is 0 where ``size`` is.
    """
    depth = true.shape[1]
    if came.shape[1] < depth:
        missing = np.full((len(came), depth - came.shape[1]), np.inf)
        came = np.concatenate([came, missing], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = came[:, :depth] / true
    ratios[np.isnan(ratios)] = 1.0
    if bool((size < depth).any()):
        ratios[np.arange(depth) >= size[:, None]] = 0.0
    total = ratios.sum(axis=1)
    return np.where(total > 0, size / np.where(total > 0, total, 1.0), 0.0)
