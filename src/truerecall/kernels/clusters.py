"""Strata where nothing else tells rows apart: k-means over the vectors.

Learnt by FAISS on a sample, then every row goes to its nearest centre. One thread, and blocks of a fixed size: sums
of floating-point numbers depend on both, and the same seed has to give the same strata.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

Floats32 = NDArray[np.float32]

ITERATIONS = 20
ROWS_PER_CENTRE = 256
"""How many rows for each centre are learnt from; more teach little."""


def learn_centres(sample: Floats32, clusters: int, seed: int) -> Floats32:
    """The centres of ``clusters`` clusters, shape (clusters, dimensions), from a sample that has at least as many
    rows."""
    import faiss

    # FAISS seeds its permutation with 32 bits.
    settings: dict[str, Any] = {"niter": ITERATIONS, "seed": seed % 2**31, "verbose": False}
    with threadpool_limits(1):
        learner = faiss.Kmeans(
            sample.shape[1], clusters, min_points_per_centroid=1, max_points_per_centroid=ROWS_PER_CENTRE, **settings
        )
        learner.train(np.ascontiguousarray(sample, np.float32))
    return np.asarray(learner.centroids, np.float32)


def nearest_centres(rows: Floats32, centres: Floats32) -> NDArray[np.int64]:
    """For each row the number of its nearest centre, the smaller one where two are equally near."""
    with threadpool_limits(1):
        # |x - c|^2 without |x|^2, which is the same for every centre.
        scores = np.add.reduce(centres * centres, axis=1) - 2 * (rows @ centres.T)
    return np.asarray(scores.argmin(axis=1), np.int64)
