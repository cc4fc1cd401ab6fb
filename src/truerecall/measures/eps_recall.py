"""eps_recall@k(ε): how many rows came back that are nearly as near as the last true neighbour."""

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
