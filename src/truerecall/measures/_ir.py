"""Measures against labels, computed by the library ir-measures (extra: ir) under its own names.

The true neighbours are not asked: what the index misses and what the embedding model misses both count. So each value
stands beside that of exact search on the same query (``PerQuery.exact``): their difference is what the index loses.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from truerecall.errors import InputError, MissingExtra
from truerecall.kernels.overlap import SPENT
from truerecall.model.answers import Answers, Grades
from truerecall.model.arrays import Floats, texts
from truerecall.model.cut import Cut
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName

UNJUDGED = "no row is labelled relevant"


class LabelMeasure(Measure):
    """One measure of ir-measures, by its name there. ``at_depth``: whether that one takes a depth itself; one that
    does not sees the first k places alone."""

    needs_labels = True
    extra = "ir"
    of_labels = True

    def __init__(self, spelling: str, title: str, *, at_depth: bool = True) -> None:
        self.title = title
        self._spelling = spelling
        self._at_depth = at_depth

    def demand(self, name: MeasureName) -> None:
        name.demand_plain()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        if answers.judged is None:
            raise ValueError(f"{name} was asked for without labels")
        measure = self._measure(answers.judged, name.k)
        judged = np.array([bool((g >= answers.judged.relevant_from).any()) for g in answers.judged.grades], np.bool_)
        values = _values(measure, answers.judged, answers.cut(name.k, name.k))
        exact = _values(measure, answers.judged, answers.of_exact_search.cut(name.k, name.k))
        reasons = texts(np.where(judged, "", UNJUDGED))
        return PerQuery(np.where(judged, values, 0.0), reasons, exact=np.where(judged, exact, 0.0))

    def _measure(self, judged: Grades, k: int) -> Any:
        """Their measure at depth k, with the grade from which a row is relevant where it asks for that."""
        try:
            import ir_measures
        except ImportError:
            raise MissingExtra("ir-measures", self.extra) from None
        measure = getattr(ir_measures, self._spelling)
        if "rel" in measure.SUPPORTED_PARAMS:
            measure = measure(rel=max(1, math.ceil(judged.relevant_from)))
        return measure @ k if self._at_depth else measure


def _values(measure: Any, judged: Grades, cut: Cut) -> Floats:
    """The value of each query; 0 for one that nothing came back for."""
    import ir_measures

    qrels = {
        str(query): dict(zip(map(str, codes.tolist()), _whole(grades), strict=True))
        for query, (codes, grades) in enumerate(zip(judged.codes, judged.grades, strict=True))
        if len(codes)
    }
    run = {}
    for query, (row, place) in enumerate(zip(cut.found, cut.place, strict=True)):
        ids = row[place != SPENT].tolist()
        if ids and str(query) in qrels:
            run[str(query)] = {str(code): float(-rank) for rank, code in enumerate(ids)}
    values = np.zeros(len(cut.found))
    if run:
        for one in ir_measures.iter_calc([measure], qrels, run):
            values[int(one.query_id)] = one.value
    return values


def _whole(grades: Floats) -> list[int]:
    if bool((grades != np.round(grades)).any()):
        raise InputError("the labels have grades that are not whole numbers", "give whole grades, or round them")
    return [int(grade) for grade in grades.tolist()]
