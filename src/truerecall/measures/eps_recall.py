"""eps_recall@k(ε): how many rows came back that are nearly as near as the last true neighbour.

Formula
    Distinct ids of R with d(r) <= (1 + ε) d(g) for l2, l1 and hamming, or s(r) >= s(g) - ε |s(g)| for the
    similarity s of ip and cosine, divided by |G|; g is the last row of G. ε is a share: 0.01, or 1%.

Edge cases
    There is no default ε. A row on the edge within 1e-12 is in. A lost clear hit does not show: any near row
    replaces it, which tolerant_recall does not allow. Undefined as recall is.

Example
    Similarities .90 .80 .79 .78 are true; the clear first one was lost and two others came back.

    >>> from truerecall import eps_recall_at_k
    >>> true, came = [[-0.90, -0.80, -0.79, -0.78]], [[-0.80, -0.79, -0.7799, -0.775]]
    >>> eps_recall_at_k([[1, 2, 3, 4]], [[2, 3, 8, 9]], true, came, k=4, epsilon=0.01, distance="ip").tolist()
    [1.0]

Elsewhere
    ann-benchmarks' recall is this with a fixed absolute margin of 1e-3 in place of a share; its ``epsilon`` recalls
    (ε = 0.01, 0.1) are this measure with ids not compared, so that a repeat counts again.

Source
    Aumüller, Bernhardsson and Faithfull (2020), "ANN-Benchmarks", Information Systems 87, section 3.
"""

from __future__ import annotations

from truerecall.kernels.thresholds import furthest
from truerecall.model.answers import Answers
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName


class EpsRecall(Measure):
    title = "share of k that came back within a tolerance of the k-th true distance"
    needs_distances = True
    argument = "ε, a share of that distance or similarity: 0.01"
    argument_needed = True

    def demand(self, name: MeasureName) -> None:
        name.demand_depth()
        self._share(name)

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        limit = furthest(cut.distance, cut.at_cut, self._share(name))
        near = (cut.distances <= limit[:, None]).sum(axis=1)
        return PerQuery(cut.share(near.clip(max=cut.size)), cut.undefined)

    def _share(self, name: MeasureName) -> float:
        return name.number("the tolerance, from 0 to 1", example="0.01")


measure = EpsRecall()
