"""What a measure needs, held against what is there."""

from __future__ import annotations

from truerecall.errors import InputError
from truerecall.model.answers import Answers
from truerecall.model.measure import Measure
from truerecall.model.measure_name import MeasureName


def demand_possible(measure: Measure, name: MeasureName, answers: Answers) -> None:
    """Raises InputError where the name is not one of this measure's, or the answers lack what the measure needs."""
    measure.demand(name)
    if measure.needs_labels and answers.relevant is None:
        raise InputError(f"{name} needs labels", "give labels, or leave this measure out")
    if measure.needs_distances and not answers.recomputed:
        raise InputError(
            f"{name} needs the true distances of the answers",
            "give the vectors of the corpus and of the queries, or leave this measure out",
        )
    if measure.geometries and answers.distance not in measure.geometries:
        raise InputError(
            f"{name} means nothing under the distance {answers.distance}",
            f"it is for {', '.join(measure.geometries)}; leave this measure out",
        )
    if measure.of_approximate and not answers.approximate:
        raise InputError(
            f"{name} is agreement with the work of an index, and this truth is exact", f"ask for recall@{name.k}"
        )
