"""robustness@k(δ): the share of queries whose recall is at least δ.

Formula
    For each query 1 where |R ∩ G| >= ceil(δ |G| - 1e-9), else 0. Hits are compared, not rounded recalls.

Edge cases
    The values are 0 and 1: their mean is a share, with an interval for shares. A failed query counts 0. Undefined
    as recall is.

Example
    >>> from truerecall import per_query
    >>> truth, found = [[1, 2], [1, 2], [1, 2]], [[1, 2], [1, 9], [8, 9]]
    >>> per_query(["robustness@2(0.5)"], truth, found)["robustness@2(0.5)"].tolist()
    [1.0, 1.0, 0.0]

Elsewhere
    Benchmarks print the mean alone: 0.9 may be 90 of 100 at every query, or nothing at a tenth of them.

Source
    arXiv 2507.00379.
"""

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
