"""rde@k: relative distance error, by how much further the answers lie than the true neighbours.

Formula
    Σ (d'_i / d_i) / |G| - 1: one over ratio@k, less one.

Edge cases
    Undefined where ratio is 0, since the error is infinite there: the mean leaves such queries out, and says how
    many. Never read it without recall. Otherwise as ratio.

Example
    >>> from truerecall import per_query
    >>> near = dict(truth_distances=[[1, 1.1, 1.2]], answer_distances=[[1, 1.11, 1.21]])
    >>> per_query(["rde@3"], [[1, 2, 3]], [[1, 8, 9]], **near)["rde@3"].round(5).tolist()
    [0.00581]

Elsewhere
    As ratio.

Source
    arXiv 2606.04522.
"""

from __future__ import annotations

import math

import numpy as np

from truerecall.measures._ratio import WITH_ZERO, ratio_of
from truerecall.model.answers import Answers
from truerecall.model.arrays import texts
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName

INFINITE = "a neighbour is missing, or lies beside one at distance 0 (the error is infinite)"


class RelativeDistanceError(Measure):
    title = "how much further the answers lie than the true neighbours: 0 is as near"
    needs_distances = True
    geometries = WITH_ZERO
    bounds = (0.0, math.inf)

    def demand(self, name: MeasureName) -> None:
        name.demand_plain()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        inverse = ratio_of(cut)
        reasons = np.where(~cut.defined, cut.undefined, np.where(inverse == 0, INFINITE, ""))
        # Answers beyond doubt are not nearer than the truth: what is below 0 is rounding.
        errors = np.maximum(1.0 / np.where(inverse > 0, inverse, 1.0) - 1.0, 0.0)
        return PerQuery(np.where(reasons == "", errors, 0.0), texts(reasons))


measure = RelativeDistanceError()
