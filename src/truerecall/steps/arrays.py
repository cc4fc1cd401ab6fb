"""Arrays in, arrays out: the value of a measure for every query, from ids and distances in memory.

Ids are a matrix, a row per query from the nearest on, or a list of lists; whole numbers or strings, with -1 (None
among strings) as padding. Distances are true ones, recomputed from the vectors: what an engine reports may be squared,
negated or from a compressed copy. A value that is undefined is masked, so that a mean leaves it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from truerecall.errors import InputError
from truerecall.model.answers import Answers
from truerecall.model.measure_name import MeasureName
from truerecall.shelf import measures as shelf
from truerecall.steps.demands import demand_possible
from truerecall.steps.from_arrays import answers_from

Values = np.ma.MaskedArray[Any, np.dtype[np.float64]]
Elements = Literal["floats", "integers"]


def per_query(
    measures: Sequence[str] | str,
    truth_ids: Any,
    answer_ids: Any,
    *,
    truth_distances: Any = None,
    answer_distances: Any = None,
    distance: str = "l2",
    elements: Elements = "floats",
    eligible: Any = None,
    relevant_ids: Any = None,
) -> dict[str, Values]:
    """The values of several measures, by name; what they share is computed once.

    ``eligible``: how many rows may answer each query; without it a truth row that ends in padding lists them all, and
    one that does not lists some of many. ``elements``: ``integers`` where the vectors hold whole numbers or bits, whose
    distances tie only where they are equal. ``relevant_ids``: for each query the ids that a judge calls relevant.
    Raises InputError for a measure that does not exist or lacks what it needs, and for a truth shallower than k.
    """
    answers = answers_from(
        truth_ids,
        answer_ids,
        truth_distances=truth_distances,
        answer_distances=answer_distances,
        distance=distance,
        integral=elements == "integers",
        eligible=eligible,
        relevant_ids=relevant_ids,
    )
    wanted = [measures] if isinstance(measures, str) else measures
    names = [MeasureName.parse(measure) for measure in wanted]
    return {str(replace(name, base=shelf.spelling(name.base))): values_of(answers, name) for name in names}


def values_of(answers: Answers, name: MeasureName) -> Values:
    """The values of one measure, masked where they are undefined."""
    measure = shelf.get(name.base)
    demand_possible(measure, name, answers)
    depth = answers.truth.shape[1]
    if depth < name.k and bool((answers.eligible > depth).any()):
        raise InputError(
            f"the truth holds {depth} neighbours per query and {name} needs {name.k}",
            f"ask for k <= {depth}, or give a deeper truth",
        )
    found = measure.per_query(answers, name)
    return np.ma.MaskedArray(found.values.copy(), mask=~found.defined)


def recall_at_k(truth_ids: Any, answer_ids: Any, *, k: int, places: int | None = None) -> Values:
    """recall@k of each query; with ``places``, k-recall@places."""
    return _one(MeasureName("recall", k, places or k), truth_ids, answer_ids)


def tie_recall_at_k(
    truth_ids: Any,
    answer_ids: Any,
    truth_distances: Any,
    answer_distances: Any,
    *,
    k: int,
    distance: str = "l2",
    elements: Elements = "floats",
) -> Values:
    """tie_recall@k of each query."""
    sides = {"truth_distances": truth_distances, "answer_distances": answer_distances}
    name = MeasureName("tie_recall", k)
    return _one(name, truth_ids, answer_ids, distance=distance, elements=elements, **sides)


def eps_recall_at_k(
    truth_ids: Any,
    answer_ids: Any,
    truth_distances: Any,
    answer_distances: Any,
    *,
    k: int,
    epsilon: float,
    distance: str = "l2",
) -> Values:
    """eps_recall@k(epsilon) of each query; ``epsilon`` is a share: 0.01 is one per cent."""
    sides = {"truth_distances": truth_distances, "answer_distances": answer_distances}
    return _one(
        MeasureName("eps_recall", k, argument=repr(float(epsilon))), truth_ids, answer_ids, distance=distance, **sides
    )


def tolerant_recall_at_k(
    truth_ids: Any,
    answer_ids: Any,
    truth_distances: Any,
    answer_distances: Any,
    *,
    k: int,
    percent: float | Literal["auto"] | None = None,
    error: float | None = None,
    distance: str = "l2",
) -> Values:
    """tolerant_recall@k(percent %) of each query, or of the tolerance that these queries themselves suggest, or that
    follows from the ``error`` which the index makes in a similarity or distance. Raises InputError unless one is given.
    """
    if (percent is None) == (error is None):
        raise InputError("a tolerance is needed, and one alone", "give percent or error")
    sides = {"truth_distances": truth_distances, "answer_distances": answer_distances}
    if error is not None:
        argument = f"error:{float(error)!r}"
    else:
        argument = percent if isinstance(percent, str) else f"{float(percent or 0.0)!r}%"
    return _one(MeasureName("tolerant_recall", k, argument=argument), truth_ids, answer_ids, distance=distance, **sides)


def _one(name: MeasureName, truth_ids: Any, answer_ids: Any, **given: Any) -> Values:
    (values,) = per_query([str(name)], truth_ids, answer_ids, **given).values()
    return values
