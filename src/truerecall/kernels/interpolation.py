"""What a given quality costs on a curve: between two measured points, never beyond them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def cost_at(quality: float, costs: Floats, qualities: Floats) -> float | None:
    """The cost at which a front reaches the quality; None where the quality lies outside of the front.

    ``costs`` and ``qualities`` are those of a front, by cost: both rise. Between neighbours the logarithm of the cost
    is a straight line over the quality.
    """
    if not len(costs) or not qualities[0] <= quality <= qualities[-1]:
        return None
    return float(np.exp(np.interp(quality, qualities, np.log(costs))))
