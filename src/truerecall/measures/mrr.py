"""mrr@k: the mean reciprocal rank of the nearest true neighbour."""

from __future__ import annotations

import numpy as np

from truerecall.model.answers import Answers
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName


class ReciprocalRank(Measure):
    title = "one over the rank at which the nearest true neighbour came back"

    def demand(self, name: MeasureName) -> None:
        name.demand_plain()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        nearest = cut.place == 0
        ranks = np.where(nearest, cut.rank, 1).max(axis=1, initial=1)
        return PerQuery(np.where(cut.defined & nearest.any(axis=1), 1.0 / ranks, 0.0), cut.undefined)


measure = ReciprocalRank()
