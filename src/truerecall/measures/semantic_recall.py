"""semantic recall@k: recall over those of the k true nearest neighbours that a judge calls relevant.

A relevant row outside the true neighbours counts neither way: that loss is the embedding's, not the index's.
Undefined where the judge calls none of the true neighbours relevant. Source: arXiv 2604.20417.
"""

from __future__ import annotations

import numpy as np

from truerecall.kernels.overlap import listed, overlap
from truerecall.model.arrays import texts
from truerecall.model.measure import NO_TRUE_NEIGHBOUR, NOTHING, Answers, PerQuery
from truerecall.model.measure_name import MeasureName

NONE_RELEVANT = "no true neighbour is labelled relevant (many such queries may mean a failing embedding model)"


class SemanticRecall:
    title = "share of the relevant true nearest neighbours that came back"
    needs_labels = True
    needs_distances = False

    def demand(self, name: MeasureName) -> None:
        name.demand_plain()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        if answers.relevant is None:
            raise ValueError("semantic recall was asked for without labels")
        true = answers.truth[:, : name.k]
        relevant = np.where(listed(true, answers.relevant), true, NOTHING)
        hits, possible = overlap(relevant, answers.found, name.k)
        reasons = np.where((true == NOTHING).all(axis=1), NO_TRUE_NEIGHBOUR, np.where(possible == 0, NONE_RELEVANT, ""))
        return PerQuery(hits / np.maximum(possible, 1), texts(reasons))


measure = SemanticRecall()
