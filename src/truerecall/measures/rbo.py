"""rbo@k(p): rank-biased overlap of the answer with the true order, extrapolated.

Formula
    (1 - p)/p Σ_d p^d X_d/d + p^n X_n/n, d from 1 to n = |G|; X_d is how many ids the first d of G and of R share.

Edge cases
    p is from 0.001 to 0.999, and there is no default: the first 1/(1 - p) places carry most of the weight. Missing
    places are misses. Places of R past |G| do not count. Undefined as recall is.

Example
    >>> from truerecall import per_query
    >>> per_query(["rbo@3(0.9)"], [[1, 2, 3]], [[1, 3, 4]])["rbo@3(0.9)"].round(3).tolist()
    [0.685]

Elsewhere
    Without extrapolation (as in some libraries) two equal lists of k ids score 1 - p^k and not 1.

Source
    Webber, Moffat and Zobel (2010), "A similarity measure for indefinite rankings", ACM TOIS 28(4).
"""

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
