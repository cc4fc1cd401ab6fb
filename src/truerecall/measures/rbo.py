"""rbo@k(p): rank-biased overlap of the answer with the true order, extrapolated."""

from __future__ import annotations

import numpy as np

from truerecall.kernels.rank_agreement import extrapolated_overlap
from truerecall.model.answers import Answers
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName


class RankBiasedOverlap(Measure):
    title = "agreement with the true order, the first places weighing most"
    argument = "p, the weight of each place beside the one before: 0.9"
    argument_needed = True

    def demand(self, name: MeasureName) -> None:
        name.demand_depth()
        self._p(name)

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        overlap = extrapolated_overlap(cut.place + 1, cut.rank, cut.place >= 0, cut.size, self._p(name))
        return PerQuery(np.where(cut.defined, overlap, 0.0), cut.undefined)

    def _p(self, name: MeasureName) -> float:
        return name.number("p, from 0.001 to 0.999", example="0.9", least=0.001, most=0.999)


measure = RankBiasedOverlap()
