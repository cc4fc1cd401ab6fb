"""What ratio and rde share."""

from __future__ import annotations

import numpy as np

from truerecall.model.arrays import Floats
from truerecall.model.cut import Cut

WITH_ZERO = ("l2", "l1", "cosine")
"""The distances whose ratio means something: they are zero where nothing is nearer."""

ZERO_COSINE = 1e-12
"""Up to here one minus a cosine is rounding."""


def inverse_ratio(cut: Cut) -> Floats:
    """|G| over the sum of ratios between the distances that came back and the true ones, both from the nearest on."""
    depth = cut.true_distances.shape[1]
    came = np.full(cut.true_distances.shape, np.inf)
    width = min(depth, cut.ascending.shape[1])
    came[:, :width] = cut.ascending[:, :width]
    inside = np.arange(depth) < cut.size[:, None]
    true = np.where(inside, cut.true_distances, 1.0)
    came = np.where(inside, came, 1.0)
    if cut.distance == "cosine":
        true, came = (np.where(side <= ZERO_COSINE, 0.0, side) for side in (true, came))
    # 0/0 is 1: the row is as near as can be. Anything over 0, and a missing row, leave no finite sum.
    ratios = np.where(true > 0, came / np.where(true > 0, true, 1.0), np.where(came > 0, np.inf, 1.0))
    total = np.where(inside, ratios, 0.0).sum(axis=1)
    return np.where(cut.defined & (total > 0), cut.size / np.where(total > 0, total, 1.0), 0.0)
