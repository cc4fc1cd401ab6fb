"""How far queries lie from rows that were held out of the corpus, by three measures.

The classifier is a logistic regression over standardised vectors (scikit-learn, the extra ``shift``); each vector is
judged by a classifier that did not see it, over five parts.
"""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from truerecall.kernels.candidates import plain_vectors
from truerecall.kernels.ratios import bootstrap_interval
from truerecall.kernels.shift import area_under_curve, mahalanobis, shrunk_covariance
from truerecall.model.arrays import Floats, Vectors
from truerecall.model.distance import Distance
from truerecall.model.shape import Estimate, Shift, undefined
from truerecall.steps.row_shape import Sample, ratio_of_medians

MOST_DIMENSIONS = 4_096
"""A covariance of more dimensions takes too long and too much memory."""

FEWEST, PARTS = 20, 5
"""How many vectors of either side a shift is taken from, and in how many parts a classifier is tried."""

STRENGTH = 0.01
"""The inverse strength of the classifier's penalty, weak enough to see a shift and strong enough not to see noise in
hundreds of dimensions."""


def shift_of(
    queries: Vectors, sample: Sample, distance: Distance, nearest: Floats, nearest_of_rows: Floats, seed: int
) -> Shift:
    """The shift of ``queries``, whose nearest rows lie at ``nearest``; ``nearest_of_rows``: those of sampled rows, each
    held out of the corpus. Empty where there is no distance."""
    near = undefined("there is no distance to compare")
    if len(nearest) and len(nearest_of_rows):
        near = ratio_of_medians(nearest, nearest_of_rows)
    held = min(sample.points, len(sample.rows) // 2)
    few = min(len(queries), held)
    wide = plain_vectors(distance.name, queries[:1]).shape[1] > MOST_DIMENSIONS if len(queries) else False
    reason = ""
    if few < FEWEST:
        reason = f"it needs {FEWEST} queries and {2 * FEWEST} usable rows"
    elif wide:
        reason = f"it takes at most {MOST_DIMENSIONS:,} dimensions"
    if reason:
        return Shift(undefined(reason), near, undefined(reason), np.empty(0), np.empty(0))
    asked, rows = (plain_vectors(distance.name, side).astype(np.float64) for side in (queries, sample.vectors))
    # All three measures are blind to scale, and squares of squares must not leave the range of float64.
    scale = max(float(np.abs(side).max()) for side in (asked, rows)) or 1.0
    asked, rows = asked / scale, rows / scale
    of_queries, of_rows = _mahalanobis(asked, rows[:held], rows[held:])
    return Shift(_ratio_of_means(of_queries, of_rows), near, _area(asked, rows[:held], seed), of_queries, of_rows)


def _mahalanobis(queries: Floats, held: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """The distances of queries and held-out rows from the centre of the other rows; empty where these do not vary."""
    mean, covariance = shrunk_covariance(rows)
    try:
        return mahalanobis(queries, mean, covariance), mahalanobis(held, mean, covariance)
    except np.linalg.LinAlgError:
        return np.empty(0), np.empty(0)


def _ratio_of_means(above: Floats, below: Floats) -> Estimate:
    if not len(below) or not below.mean() > 0:
        return undefined("the rows vary too little", len(above))
    interval = bootstrap_interval(lambda a, b: float(a.mean() / b.mean()), above, below, seed=0)
    return Estimate(float(above.mean() / below.mean()), len(above), interval, "bootstrap")


def _area(queries: Floats, rows: Floats, seed: int) -> Estimate:
    if find_spec("sklearn") is None:
        return undefined("left out: it needs scikit-learn (pip install 'truerecall[shift]')", len(queries))
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    is_query = np.repeat([True, False], [len(queries), len(rows)])
    model = make_pipeline(StandardScaler(), LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=1_000))
    scores = cross_val_predict(
        model,
        np.concatenate((queries, rows)),
        is_query,
        cv=StratifiedKFold(PARTS, shuffle=True, random_state=seed),
        method="decision_function",
    )
    area, interval = area_under_curve(scores[is_query], scores[~is_query])
    return Estimate(area, len(queries), interval, "DeLong")
