"""What ratio and rde share."""

from __future__ import annotations

import numpy as np

from truerecall.kernels.distance_ratios import inverse_ratio
from truerecall.model.arrays import Floats
from truerecall.model.cut import Cut

WITH_ZERO = ("l2", "l1", "cosine")
"""The distances whose ratio means something: they are zero where nothing is nearer."""

ZERO_COSINE = 1e-12
"""Up to here one minus a cosine is rounding."""


def ratio_of(cut: Cut) -> Floats:
    """1/Ratio of each query; 0 where it is undefined, and where the sum of ratios is infinite."""
    true, came = cut.true_distances, cut.ascending
    if cut.distance == "cosine":
        true, came = (np.where(side <= ZERO_COSINE, 0.0, side) for side in (true, came))
    return np.where(cut.defined, inverse_ratio(came, true, cut.size), 0.0)
