"""kendall@k: Kendall's tau-b between the true order and the order of the answer, over the ids that both hold.

Formula
    (C - D) / (C + D): of the pairs of shared ids those in the true order, and those in the reverse one.

Edge cases
    Rows that are equally far are tied on both sides, since no order of theirs is the right one: their pairs drop
    out. Fewer than two shared ids that do not tie: undefined. It says nothing about what is missing: read it beside
    recall. Values are from -1 to 1.

Example
    >>> from truerecall import per_query
    >>> per_query(["kendall@4"], [[1, 2, 3, 4]], [[3, 9, 2, 1]])["kendall@4"].tolist()
    [-1.0]

Elsewhere
    SciPy's ``kendalltau`` takes the answer's order for strict, so that exact search scores below 1 where rows tie.

Source
    Kendall (1945), "The treatment of ties in ranking problems", Biometrika 33.
"""

from __future__ import annotations

import numpy as np

from truerecall.kernels.rank_agreement import tau_b
from truerecall.model.answers import Answers
from truerecall.model.arrays import texts
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName

UNDER_TWO = "fewer than two true neighbours came back that do not tie"


class Kendall(Measure):
    title = "whether the true neighbours that came back are in their true order"
    bounds = (-1.0, 1.0)

    def demand(self, name: MeasureName) -> None:
        name.demand_plain()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        steps = np.diff(cut.true_distances, axis=1, prepend=-np.inf) > 0
        tied_ranks = np.cumsum(steps, axis=1, dtype=np.int64)  # rows that are equally far have one rank
        shared = cut.place >= 0
        ranks = np.take_along_axis(tied_ranks, np.where(shared, cut.place, 0), axis=1)
        values, comparable = tau_b(ranks, shared)
        reasons = np.where(~cut.defined, cut.undefined, np.where(comparable, "", UNDER_TWO))
        return PerQuery(np.where(reasons == "", values, 0.0), texts(reasons))


measure = Kendall()
