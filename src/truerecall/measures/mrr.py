"""mrr@k: the mean reciprocal rank of the nearest true neighbour.

Formula
    1/r, r the rank in R of the first row of G; 0 where it did not come back in the first k places.

Edge cases
    Padding and repeats take no rank. It goes by the id: of rows that tie for the nearest the one of the smallest id
    is the first. Undefined as recall is.

Example
    >>> from truerecall import per_query
    >>> per_query(["mrr@3"], [[7, 8, 9]] * 3, [[7, 8, 9], [8, 7, 9], [8, 9, 1]])["mrr@3"].tolist()
    [1.0, 0.5, 0.0]

Elsewhere
    Against labels MRR is the rank of the first relevant row: here that is ``RR``, under the name that ir-measures
    uses.

Source
    Voorhees (1999), "The TREC-8 question answering track report".
"""

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
