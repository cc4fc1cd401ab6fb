"""rde@k: relative distance error, by how much further the answers lie than the true neighbours."""

from __future__ import annotations

import math

import numpy as np

from truerecall.measures._ratio import WITH_ZERO, inverse_ratio
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
        inverse = inverse_ratio(cut)
        reasons = np.where(~cut.defined, cut.undefined, np.where(inverse == 0, INFINITE, ""))
        # Answers beyond doubt are not nearer than the truth: what is below 0 is rounding.
        errors = np.maximum(1.0 / np.where(inverse > 0, inverse, 1.0) - 1.0, 0.0)
        return PerQuery(np.where(reasons == "", errors, 0.0), texts(reasons))


measure = RelativeDistanceError()
