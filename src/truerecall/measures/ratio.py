"""ratio@k: the inverse of the mean ratio between the distances that came back and the true ones.

Formula
    |G| / Σ (d'_i / d_i), with the true distances d' of what came back and d of G, both from the nearest on,
    unsquared.

Edge cases
    For l2, l1 and cosine alone. 0/0 is 1. A positive distance over 0, and a missing, repeated or unknown id: the
    query scores 0. One minus a cosine up to 1e-12 is taken for 0. Undefined as recall is. It saturates in high
    dimensions, where all rows are about equally far: never read it without recall.

Example
    >>> from truerecall import per_query
    >>> near = dict(truth_distances=[[1, 1.1, 1.2]], answer_distances=[[1, 1.11, 1.21]])
    >>> per_query(["ratio@3"], [[1, 2, 3]], [[1, 8, 9]], **near)["ratio@3"].round(5).tolist()
    [0.99423]

Elsewhere
    ann-benchmarks' ``rel`` divides the sum of all distances that came back, over all queries, by the sum of all
    true ones: far queries weigh most.

Source
    arXiv 2606.04522; what happens at 0 and to missing answers is ours.
"""

from __future__ import annotations

from truerecall.measures._ratio import WITH_ZERO, ratio_of
from truerecall.model.answers import Answers
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName


class Ratio(Measure):
    title = "how near the answers lie beside the true neighbours: 1 is as near"
    needs_distances = True
    geometries = WITH_ZERO

    def demand(self, name: MeasureName) -> None:
        name.demand_plain()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        return PerQuery(ratio_of(cut), cut.undefined)


measure = Ratio()
