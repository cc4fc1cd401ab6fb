"""recall@k: the share of the k true nearest neighbours that are among the first k returned; k-recall@n: among the
first n, for candidates that a second stage re-ranks.

Also called k-recall@k. The order within the first k does not count. The divisor is k, or the number of eligible
rows where fewer may answer; missing places are misses.
"""

from __future__ import annotations

from truerecall.model.answers import Answers
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName


class Recall(Measure):
    title = "share of the true nearest neighbours that came back"
    usual = True

    def demand(self, name: MeasureName) -> None:
        name.demand_no_argument()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        return PerQuery(cut.share(cut.hits), cut.undefined)


measure = Recall()
