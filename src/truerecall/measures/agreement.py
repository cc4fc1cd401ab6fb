"""agreement@k: the share of what one index returned that another returned too."""

from __future__ import annotations

from truerecall.model.answers import Answers
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName


class Agreement(Measure):
    title = "share of an index's answers that came back from another"
    of_approximate = True

    def demand(self, name: MeasureName) -> None:
        name.demand_plain()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        return PerQuery(cut.share(cut.hits), cut.undefined)


measure = Agreement()
