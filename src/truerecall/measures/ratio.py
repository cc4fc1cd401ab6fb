"""ratio@k: the inverse of the mean ratio between the distances that came back and the true ones."""

from __future__ import annotations

from truerecall.measures._ratio import WITH_ZERO, inverse_ratio
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
        return PerQuery(inverse_ratio(cut), cut.undefined)


measure = Ratio()
