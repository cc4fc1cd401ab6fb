"""Judge the passes of one point against the truth: refuse what is no measurement, score the rest, and say what may
mislead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from truerecall.errors import InputError, NotAMeasurement
from truerecall.model.arrays import Booleans
from truerecall.model.curve import Point
from truerecall.model.finding import CheckOutcome, verdict_of
from truerecall.model.groups import UNGROUPED, Grouping, Groups
from truerecall.model.labels import Labels
from truerecall.model.measure import Along, Answers, Measure, PerQuery
from truerecall.model.measure_name import MeasureName
from truerecall.model.run import Run, demand_truth_of
from truerecall.model.score import Means, Score
from truerecall.model.truth import GroundTruth
from truerecall.shelf import measures as shelf
from truerecall.steps.aggregate import aggregate, mean_of
from truerecall.steps.align import align
from truerecall.steps.check_passes import examine_passes
from truerecall.steps.demands import demand_possible
from truerecall.steps.latency import latency_of
from truerecall.steps.passes import Seen, along_over_passes, answered_values, over_passes
from truerecall.steps.points import alike, in_points
from truerecall.steps.present import at_present
from truerecall.store.truths import content_digest


def score_run(
    run: Run,
    truth: GroundTruth,
    *,
    measures: Sequence[MeasureName],
    labels: Labels | None = None,
    seed: int = 0,
    clusters: Grouping | None = None,
    strata: Grouping | None = None,
) -> Point:
    """``score_runs`` of one pass."""
    return score_runs([run], truth, measures=measures, labels=labels, seed=seed, clusters=clusters, strata=strata)


def score_runs(
    runs: Sequence[Run],
    truth: GroundTruth,
    *,
    measures: Sequence[MeasureName],
    labels: Labels | None = None,
    seed: int = 0,
    clusters: Grouping | None = None,
    strata: Grouping | None = None,
) -> Point:
    """The passes of one point with their scores, latency, cost and what the checks say; the runs are not changed.

    A query has the mean of its values over the passes: what differs between passes is chance, and answers that repeat
    are scored once. ``clusters`` and ``strata``: what each query belongs to, by its id or in the order of the truth's
    queries.

    Where no query was answered the point has no scores. Raises StaleTruth where runs and truth have another subject,
    NotAMeasurement where there was nothing to ask or no row could answer, InputError where a measure asks for more
    than the runs or the truth hold, and where the runs are not of one point.
    """
    if len(in_points(runs)) != 1:
        raise InputError(f"{len(runs)} runs are not the passes of one point", "judge each point by itself")
    first = runs[0]
    for run in runs:
        demand_truth_of(run, truth.subject, name="the truth")
    for name in measures:
        demand_depth(name, first, truth)
    kept = alike(runs)
    seen = [_seen(run, times, truth, labels) for run, times in kept]
    demand_answerable(seen[0].answers)
    scores = score_passes(
        seen, measures, seed=seed, groups=Groups.of(truth.query_ids, clusters=clusters, strata=strata)
    )
    evidence: dict[str, Any] = {
        "runs": tuple(runs),
        "truth": truth,
        "copies": truth.copies,
        "scores": scores,
        "latency": (latency := latency_of(runs)),
        "drift": first.drift_from(truth.subject),
        "k": first.setup.k,
        "asked_k": first.setup.k,
        **_tried(first, truth),
    }
    answers = [next(o.answers for (r, _), o in zip(kept, seen, strict=True) if run.answers_like(r)) for run in runs]
    passes = list(zip(runs, answers, strict=True))
    checks = examine_passes(passes, evidence if labels is None else {**evidence, "labels": labels})
    answered = int((~first.failed).sum())
    cost = {name: total / answered for name, total in first.cost.items()} if answered else {}
    return believed(Point(tuple(runs), scores, latency, cost, ()), checks)


def believed(point: Point, outcomes: Iterable[CheckOutcome]) -> Point:
    """The point with more outcomes beside it, and without scores where any is invalid.

    What a check said of the point itself stands; the same check on other evidence is heard where it could not tell.
    """
    said = {outcome.code: outcome for outcome in point.checks}
    for outcome in outcomes:
        before = said.get(outcome.code)
        if before is None or (before.outcome == "cannot tell" and outcome.outcome != "cannot tell"):
            said[outcome.code] = outcome
    checks = tuple(said[code] for code in sorted(said))
    invalid = verdict_of(c.finding for c in checks if c.finding is not None) == "invalid"
    return replace(point, checks=checks, scores=() if invalid else point.scores)


def _seen(run: Run, times: int, truth: GroundTruth, labels: Labels | None) -> Seen:
    answers = align(
        run.query_ids, run.neighbors, run.failed, truth, depth=run.setup.k, labels=labels,
        distances_of="rows" if run.setup.where is None else "eligible rows",
    )  # fmt: skip
    lists = None if run.drift_from(truth.subject) is None else run.present
    return Seen(answers, None if lists is None else at_present(answers, truth, lists, run.query_ids), times)


def _tried(run: Run, truth: GroundTruth) -> dict[str, Any]:
    """What was tried on the run, where it was tried with this very truth."""
    trials = run.trials
    if trials is None or trials.truth != content_digest(truth):
        return {}
    return {"trials": trials} | ({} if trials.rivals is None else {"rivals": trials.rivals})


def score_answers(
    answers: Answers,
    measures: Sequence[MeasureName],
    *,
    seed: int,
    groups: Groups = UNGROUPED,
    present: Answers | None = None,
) -> tuple[Score, ...]:
    """Each of the measures over all queries. ``present``: as in ``Seen``."""
    return score_passes([Seen(answers, present)], measures, seed=seed, groups=groups)


def score_passes(
    seen: Sequence[Seen], measures: Sequence[MeasureName], *, seed: int, groups: Groups = UNGROUPED
) -> tuple[Score, ...]:
    """Each of the measures over all queries and passes."""
    return tuple(_score(name, shelf.get(name.base), seen, seed, groups) for name in measures)


def demand_depth(name: MeasureName, run: Run, truth: GroundTruth) -> None:
    """Raises InputError where the measure goes deeper than the run asked or the truth holds."""
    if name.places > run.setup.k:
        raise InputError(
            f"{name} needs {name.places} answers per query and the run asked for {run.setup.k}",
            f"ask for at most {run.setup.k}, or run again with a larger k",
        )
    truth.demand_depth(name.k)


def demand_answerable(answers: Answers) -> None:
    """Raises NotAMeasurement where there is nothing to score."""
    n = len(answers)
    if n == 0:
        raise NotAMeasurement("0 queries evaluated", "recall is undefined; give queries")
    if not bool(answers.eligible.any()):
        raise NotAMeasurement(
            f"no row may answer any of the {n} queries", "recall is undefined; widen the filter or check the corpus"
        )


def _score(name: MeasureName, measure: Measure, seen: Sequence[Seen], seed: int, groups: Groups) -> Score:
    looked_at = [one.present if one.present is not None and measure.needs_distances else one.answers for one in seen]
    for answers in looked_at:
        demand_possible(measure, name, answers)
    name = replace(name, base=shelf.spelling(name.base))
    times, failed = [one.times for one in seen], [answers.failed for answers in looked_at]
    parts = [measure.per_query(answers, name) for answers in looked_at]
    along = along_over_passes([measure.along(answers, name) for answers in looked_at], times)
    values = over_passes(parts, times)
    score = aggregate(str(name), measure, values, np.logical_or.reduce(failed), seed=seed, groups=groups)
    if len(parts) > 1:
        score = replace(score, answered_mean=mean_of(answered_values(parts, failed, times)))
    return replace(score, along=_means(along))


def _means(along: Along | None) -> Means | None:
    if along is None:
        return None
    means = ((at, mean_of(own.values[own.defined])) for at, own in along.values)
    return Means(along.asked, tuple((at, mean) for at, mean in means if mean is not None))


def score_over(score: Score, chosen: Booleans, seed: int) -> Score:
    """The score over the ``chosen`` queries alone (True for each); failures, strata and clusters are not told apart
    there."""
    values = PerQuery(score.per_query.values[chosen], score.per_query.undefined[chosen])
    measure = shelf.get(MeasureName.parse(score.measure).base)
    return aggregate(score.measure, measure, values, np.zeros(len(values.values), np.bool_), seed=seed)
