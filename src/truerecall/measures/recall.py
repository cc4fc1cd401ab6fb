"""recall@k: the share of the k true nearest neighbours that are among the first k returned.

Also called k-recall@k. The order within the first k does not count. The divisor is k, or the number of eligible
rows where fewer may answer; missing places are misses.
"""

from __future__ import annotations

import numpy as np

from truerecall.kernels.overlap import overlap
from truerecall.model.arrays import texts
from truerecall.model.measure import NO_TRUE_NEIGHBOUR, Answers, PerQuery


class Recall:
    title = "share of the true nearest neighbours that came back"
    needs_labels = False

    def per_query(self, answers: Answers, k: int) -> PerQuery:
        hits, true = overlap(answers.truth, answers.found, k)
        return PerQuery(hits / np.maximum(true, 1), texts(np.where(true == 0, NO_TRUE_NEIGHBOUR, "")))


measure = Recall()
