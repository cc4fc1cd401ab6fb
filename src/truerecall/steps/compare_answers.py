"""Are the answers of one system better than those of another? Lists from anywhere, and Runs, on either side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from truerecall.model.comparison import Comparison, Side
from truerecall.model.groups import Grouping, Groups
from truerecall.model.measure_name import MeasureName
from truerecall.model.run import Run
from truerecall.model.truth import GroundTruth
from truerecall.shelf import measures as shelf
from truerecall.steps.bare_truth import as_truth
from truerecall.steps.compare import compare_sides
from truerecall.steps.points import in_points
from truerecall.steps.score import score_runs
from truerecall.steps.score_answers import score
from truerecall.steps.sides import side_of_answers, side_of_points


def compare_answers(
    truth: GroundTruth | Any,
    first: Any,
    second: Any,
    *,
    measure: MeasureName | str,
    clusters: Grouping | None = None,
    names: tuple[str, str] = ("A", "B"),
    seed: int = 0,
    **reading: Any,
) -> Comparison:
    """What the second answers reach beyond the first, query by query.

    ``truth`` and either side: what ``score`` takes, or a sequence of Runs; ``reading``: how it is to be read, as in
    ``score`` (``query_ids``, ``corpus``, ``queries``, ``by_row``, ``asked_k``, ``nearer``, ``labels`` ...).
    ``clusters`` as in ``score_run``. Nobody timed answers, so no latency is compared beside them.

    Raises NotAMeasurement, naming what differs, where the sides were asked for another depth or are of another subject,
    where one has no valid score, and where several settings stand against one list of answers; else as ``score`` does.
    """
    given = truth if isinstance(truth, GroundTruth) else as_truth(truth, reading.get("query_ids"))
    name = measure if isinstance(measure, MeasureName) else MeasureName.parse(measure)
    name = replace(name, base=shelf.spelling(name.base))
    one, other = (
        _side(called, answers, given, name, seed, reading)
        for called, answers in zip(names, (first, second), strict=True)
    )
    return compare_sides(one, other, measure=str(name), groups=Groups.of(given.query_ids, clusters=clusters), seed=seed)


def _side(
    called: str, answers: Any, truth: GroundTruth, measure: MeasureName, seed: int, reading: dict[str, Any]
) -> Side:
    runs = _runs(answers)
    if runs:
        labels = reading.get("labels")
        points = [score_runs(passes, truth, measures=[measure], labels=labels, seed=seed) for passes in in_points(runs)]
        return side_of_points(called, points, str(measure))
    own = str(answers) if isinstance(answers, Path | str) else called
    judged = score(truth, answers, k=measure.k, measures=[measure], name=own, seed=seed, **reading)
    return side_of_answers(called, judged, truth, str(measure))


def _runs(answers: Any) -> tuple[Run, ...]:
    """The Runs that were given; none where it is anything else."""
    given = (answers,) if isinstance(answers, Run) else answers
    several = isinstance(given, Sequence) and len(given) > 0 and all(isinstance(one, Run) for one in given)
    return tuple(given) if several else ()
