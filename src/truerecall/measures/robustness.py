"""robustness@k(δ): the share of queries whose recall is at least δ."""

from __future__ import annotations

import numpy as np

from truerecall.model.answers import Answers
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName

ROUNDING = 1e-9


class Robustness(Measure):
    title = "share of the queries that reach a recall"
    argument = "δ, the recall that a query must reach: 0.9"
    argument_needed = True
    share = True

    def demand(self, name: MeasureName) -> None:
        self._floor(name)

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        needed = np.ceil(self._floor(name) * cut.size - ROUNDING)
        return PerQuery(np.where(cut.defined & (cut.hits >= needed), 1.0, 0.0), cut.undefined)

    def _floor(self, name: MeasureName) -> float:
        return name.number("the recall that a query must reach, from 0 to 1", example="0.9")


measure = Robustness()
