"""recall@k: the share of the k true nearest neighbours that are among the first k returned; k-recall@n: among the
first n, for candidates that a second stage re-ranks.

Also called k-recall@k. The order within the first k does not count. The divisor is k, or the number of eligible
rows where fewer may answer; missing places are misses.
"""

from __future__ import annotations

import numpy as np

from truerecall.kernels.overlap import overlap
from truerecall.model.arrays import texts
from truerecall.model.measure import NO_TRUE_NEIGHBOUR, Answers, PerQuery
from truerecall.model.measure_name import MeasureName


class Recall:
    title = "share of the true nearest neighbours that came back"
    needs_labels = False
    needs_distances = False

    def demand(self, name: MeasureName) -> None:
        name.demand_no_argument()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        hits, true = overlap(answers.truth[:, : name.k], answers.found, name.places)
        return PerQuery(hits / np.maximum(true, 1), texts(np.where(true == 0, NO_TRUE_NEIGHBOUR, "")))


measure = Recall()
