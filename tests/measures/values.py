"""How the tests of measures write a question: lists in, a value for each query out."""

from __future__ import annotations

from typing import Any

from tests.nouns import Lists, answers_of
from truerecall.model.answers import Answers
from truerecall.model.measure import PerQuery
from truerecall.model.measure_name import MeasureName
from truerecall.shelf import measures
from truerecall.steps.demands import demand_possible


def per_query(text: str, truth: Lists, found: Lists, **others: Any) -> PerQuery:
    """``truth`` and ``found``: the codes of each query, or (code, distance) pairs."""
    name, answers = MeasureName.parse(text), asked(truth, found, **others)
    measure = measures.get(name.base)
    demand_possible(measure, name, answers)
    return measure.per_query(answers, name)  # type: ignore[no-any-return]


def along(text: str, truth: Lists, found: Lists, **others: Any) -> list[tuple[float, list[float]]]:
    """The arguments around the one in the name, and the values that each gives."""
    name = MeasureName.parse(text)
    drawn = measures.get(name.base).along(asked(truth, found, **others), name)
    return [] if drawn is None else [(argument, own.values.tolist()) for argument, own in drawn.values]


def asked(truth: Lists, found: Lists, **others: Any) -> Answers:
    """The same as answers beside the truth."""
    if any(isinstance(entry, tuple) for side in (truth, found) for row in side for entry in row):
        others["truth_distances"] = [[d for _, d in row] for row in truth]
        others["found_distances"] = [[d for _, d in row] for row in found]
        truth, found = ([[code for code, _ in row] for row in side] for side in (truth, found))
    return answers_of(truth, found, **others)


def value(text: str, truth: Any, found: Any, **others: Any) -> float:
    """The value of the one query, which must be defined."""
    score = per_query(text, [truth], [found], **others)
    assert score.undefined.tolist() == [""]
    return float(score.values[0])


def at(distances: list[float], first: int = 0) -> list[tuple[int, float]]:
    """Codes from ``first`` on, with these distances."""
    return list(enumerate(distances, first))


def pick(rows: list[tuple[int, float]], *codes: int) -> list[tuple[int, float]]:
    by_code = dict(rows)
    return [(code, by_code[code]) for code in codes]
