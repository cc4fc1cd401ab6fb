"""From stored runs and a truth to curves that were looked at from every side.

A check looks at a point, at a curve or at all curves: what a curve's check says stands at each of its points, what one
of all curves says at every point, and where it is invalid the numbers are withheld there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from truerecall.errors import InputError, StaleTruth
from truerecall.model.curve import Curve
from truerecall.model.filter import Narrowed
from truerecall.model.finding import CheckOutcome
from truerecall.model.groups import Grouping
from truerecall.model.labels import Labels
from truerecall.model.measure_name import HEADLINE, MeasureName
from truerecall.model.run import Run
from truerecall.model.truth import GroundTruth
from truerecall.shelf import measures as shelf
from truerecall.steps.check import examine
from truerecall.steps.curve import curves_of
from truerecall.steps.points import in_points
from truerecall.steps.score import believed, score_runs

WHOLE: Mapping[str, GroundTruth] = MappingProxyType({})
"""No truth behind any filter."""


def judge(
    runs: Iterable[Run],
    truth: GroundTruth,
    *,
    measures: Sequence[MeasureName],
    labels: Labels | None = None,
    seed: int = 0,
    strata: Grouping | None = None,
    clusters: Grouping | None = None,
    inspected: Sequence[CheckOutcome] = (),
    behind: Mapping[str, GroundTruth] = WHOLE,
) -> tuple[Curve, ...]:
    """The curves of the first of the ``measures``; each point is judged over all its passes. Those of unfiltered
    searches come first, then those behind each filter, from the one that keeps most rows.

    ``inspected``: what was said of the vectors themselves. ``behind``: for runs behind a filter the truth behind it, by
    its words (``Narrowed.told``); ``truth`` is that of all rows. Raises as ``score_runs``, and StaleTruth where a
    filter has no truth.
    """
    by_filter: dict[Narrowed | None, list[Run]] = {}
    for run in runs:
        by_filter.setdefault(run.setup.where, []).append(run)
    curves: list[Curve] = []
    for where, own in sorted(by_filter.items(), key=lambda one: _by_rows_kept(one[0])):
        curves += _judged(
            own, truth_behind(where, truth, behind), measures=measures, labels=labels, seed=seed, strata=strata,
            clusters=clusters, inspected=inspected,
        )  # fmt: skip
    return tuple(curves)


def _by_rows_kept(where: Narrowed | None) -> tuple[float, str]:
    return (-math.inf, "") if where is None else (-where.kept, where.text)


def truth_behind(where: Narrowed | None, truth: GroundTruth, behind: Mapping[str, GroundTruth]) -> GroundTruth:
    """The truth by which runs behind this filter are judged."""
    if where is None:
        return truth
    if where.told not in behind:
        raise StaleTruth(f"there is no truth behind the filter {where.text}", "measure again into the same folder")
    return behind[where.told]


def _judged(
    runs: Iterable[Run],
    truth: GroundTruth,
    *,
    measures: Sequence[MeasureName],
    labels: Labels | None,
    seed: int,
    strata: Grouping | None,
    clusters: Grouping | None,
    inspected: Sequence[CheckOutcome],
) -> tuple[Curve, ...]:
    """The same of runs behind one filter."""
    grouped = {"strata": strata, "clusters": clusters}
    points = [
        believed(score_runs(passes, truth, measures=measures, labels=labels, seed=seed, **grouped), inspected)
        for passes in in_points(runs)
    ]
    drawn = str(replace(measures[0], base=shelf.spelling(measures[0].base)))
    beside = {"truth": truth} if labels is None else {"truth": truth, "labels": labels}
    curves = curves_of(points, drawn)
    points = [
        believed(point, outcomes)
        for curve in curves
        for outcomes in [examine({"curve": curve}, beside=beside)]
        for point in curve.points
    ]
    curves = curves_of(points, drawn)
    outcomes = examine({"curves": curves}, beside=beside)
    return curves_of([believed(point, outcomes) for curve in curves for point in curve.points], drawn)


def judge_as_usual(
    runs: Iterable[Run],
    truth: GroundTruth,
    *,
    measures: Sequence[MeasureName] = (),
    labels: Labels | None = None,
    seed: int = 0,
    strata: Grouping | None = None,
    clusters: Grouping | None = None,
    inspected: Sequence[CheckOutcome] = (),
    behind: Mapping[str, GroundTruth] = WHOLE,
) -> tuple[Curve, ...]:
    """The curves of the headline, by the usual measures and by those that are named beside them. The runs are of one k.

    Raises InputError where there is no run, else as ``judge``.
    """
    all_runs = tuple(runs)
    if not all_runs:
        raise InputError("there is no run to judge", "measure one first: truerecall run")
    usual = usual_measures(all_runs[0].setup.k, labels)
    return judge(
        all_runs, truth, measures=tuple(dict.fromkeys([*usual, *measures])), labels=labels, seed=seed, strata=strata,
        clusters=clusters, inspected=inspected, behind=behind,
    )  # fmt: skip


def usual_measures(k: int, labels: Labels | None) -> tuple[MeasureName, ...]:
    """The measures of runs that are taken at depth k where nobody names any, the headline first."""
    names = [name for name in shelf.names() if shelf.get(name).usual]
    fit = [name for name in names if labels is not None or not shelf.get(name).needs_labels]
    return tuple(MeasureName(name, k) for name in sorted(fit, key=lambda name: name != HEADLINE))
