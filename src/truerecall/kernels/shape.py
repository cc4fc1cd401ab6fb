"""Formulas for the shape of vectors: how hard they make it to tell near rows from far ones.

Sources: local intrinsic dimension by maximum likelihood, Amsaleg and others (2015), "Estimating local intrinsic
dimensionality", KDD; relative contrast, He, Kumar and Chang (2012), "On the difficulty of nearest neighbor search",
ICML; hubs, Radovanović, Nanopoulos and Ivanović (2010), "Hubs in space", JMLR 11, 2487-2531.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def local_dimensions(distances: Floats) -> Floats:
    """The local intrinsic dimension at each point, from the distances of its k nearest rows: shape (points, k).

    ``-1 / mean(ln(d_i / d_k))`` over unsquared distances in ascending order. NaN where it is undefined: the nearest
    distance is zero, or all are equal. [1, 2, 4] has 1.443.
    """
    last = distances[:, -1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.log(distances / last).mean(axis=1)
        found = -1.0 / means
    return np.where((distances[:, 0] > 0) & (means < 0), found, np.nan)


def relative_contrast(means: Floats, at_k: Floats) -> float:
    """The mean distance of all rows over that of the k-th nearest, both averaged over points first.

    Close to 1 the k-th nearest row is hardly nearer than any row. NaN where the k-th nearest rows lie at distance
    zero. [10, 12] over [2, 4] is 3.667.
    """
    below = float(at_k.mean())
    return float(means.mean()) / below if below > 0 else float("nan")


def occurrences(neighbours: Integers, rows: int) -> Integers:
    """For each of ``rows`` rows in how many of the lists in ``neighbours`` it stands (N_k)."""
    return np.bincount(neighbours.reshape(-1), minlength=rows).astype(np.int64)


def skewness(counts: NDArray[Any]) -> float:
    """The third standardised moment, in its population form; NaN where all counts are equal.

    [4, 2, 1, 1, 0, 0, 0, 0] has 1.296.
    """
    deviation = counts - counts.mean()
    variance = float((deviation**2).mean())
    return float((deviation**3).mean()) / variance**1.5 if variance > 0 else float("nan")


def shuffled(vectors: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
    """The vectors with each column in an order of its own: every dimension keeps its values and loses its ties to the
    other dimensions."""
    return np.ascontiguousarray(random.permuted(vectors, axis=0))
