"""How far one cloud of vectors lies from another.

Sources: the shrunk covariance, Ledoit and Wolf (2004), "A well-conditioned estimator for large-dimensional covariance
matrices", JMVA 88, 365-411; the interval of the area under the curve, DeLong, DeLong and Clarke-Pearson (1988),
Biometrics 44, 837-845.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from truerecall.kernels.ratios import NORMAL_975

Floats = NDArray[np.float64]


def shrunk_covariance(vectors: Floats) -> tuple[Floats, Floats]:
    """The mean of vectors of shape (n, d), and their covariance drawn towards a multiple of the identity.

    How far it is drawn is the share that minimises the expected squared error, after Ledoit and Wolf.
    """
    n, d = vectors.shape
    mean = vectors.mean(axis=0)
    centred = vectors - mean
    covariance = centred.T @ centred / n
    average = float(np.trace(covariance)) / d
    target = np.eye(d) * average
    distance = float(((covariance - target) ** 2).sum()) / d
    fourth = float(((centred**2).sum(axis=1) ** 2).sum()) / n
    noise = (fourth - float((covariance**2).sum())) / (n * d)
    share = 0.0 if distance <= 0 else min(1.0, max(0.0, noise / distance))
    return mean, (1.0 - share) * covariance + share * target


def mahalanobis(vectors: Floats, mean: Floats, covariance: Floats) -> Floats:
    """The Mahalanobis distance of each vector from ``mean``. Raises LinAlgError where the covariance is singular."""
    root = np.linalg.cholesky(covariance)
    solved = np.linalg.solve(root, (vectors - mean).T)
    return np.asarray(np.sqrt(np.add.reduce(solved * solved, axis=0)))


def area_under_curve(positive: Floats, negative: Floats) -> tuple[float, tuple[float, float]]:
    """How often a positive scores higher than a negative, ties counted half, and the 95 % interval.

    0.5: the two cannot be told apart by their scores. At least two of each. The interval is DeLong's, cut to [0, 1].
    """
    of_positive = _shares_below(positive, negative)
    of_negative = 1.0 - _shares_below(negative, positive)
    area = float(of_positive.mean())
    error = float(np.sqrt(of_positive.var(ddof=1) / len(positive) + of_negative.var(ddof=1) / len(negative)))
    return area, (max(0.0, area - NORMAL_975 * error), min(1.0, area + NORMAL_975 * error))


def _shares_below(values: Floats, others: Floats) -> Floats:
    """For each value the share of the others that lie below it, equal ones counted half."""
    ordered = np.sort(others)
    below, up_to = (np.searchsorted(ordered, values, side) for side in ("left", "right"))
    return np.asarray((below + up_to) / (2 * len(others)))
