"""Judge a run against the truth: refuse what is no measurement, score the rest, and say what may mislead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from truerecall.errors import InputError, NotAMeasurement
from truerecall.kernels.quantiles import CALLS_NEEDED, percentile
from truerecall.model.arrays import Booleans
from truerecall.model.curve import Latency, Point
from truerecall.model.finding import verdict_of
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
from truerecall.steps.check import examine
from truerecall.steps.demands import demand_possible
from truerecall.steps.present import at_present


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
    """The run with its scores, latency, cost and what the checks say; the run itself is not changed.

    ``clusters`` and ``strata``: what each query belongs to, by its id or in the order of the truth's queries.

    Where no query was answered the point has no scores. Raises StaleTruth where run and truth have another subject,
    NotAMeasurement where there was nothing to ask or no row could answer, InputError where a measure asks for more
    than the run or the truth holds.
    """
    demand_truth_of(run, truth.subject, name="the truth")
    for name in measures:
        demand_depth(name, run, truth)
    answers = align(run.query_ids, run.neighbors, run.failed, truth, depth=run.setup.k, labels=labels)
    demand_answerable(answers)
    groups = Groups.of(truth.query_ids, clusters=clusters, strata=strata)
    drift = run.drift_from(truth.subject)
    lists = None if drift is None else run.present
    present = None if lists is None else at_present(answers, truth, lists, run.query_ids)
    scores = score_answers(answers, measures, seed=seed, groups=groups, present=present)
    evidence = {
        "run": run,
        "truth": truth,
        "copies": truth.copies,
        "answers": answers,
        "scores": scores,
        "drift": drift,
        "k": run.setup.k,
        "asked_k": run.setup.k,
        "failures": run.failures[run.failed],
    }
    checks = examine(evidence if labels is None else {**evidence, "labels": labels})
    invalid = verdict_of(c.finding for c in checks if c.finding is not None) == "invalid"
    answered = int((~run.failed).sum())
    cost = {name: total / answered for name, total in run.cost.items()} if answered else {}
    return Point((run,), () if invalid else scores, latency_of(run), cost, checks)


def score_answers(
    answers: Answers,
    measures: Sequence[MeasureName],
    *,
    seed: int,
    groups: Groups = UNGROUPED,
    present: Answers | None = None,
) -> tuple[Score, ...]:
    """Each of the measures over all queries. ``present``: the answers that measures which need distances look at, where
    the corpus has drifted from the truth."""
    scores = []
    for name in measures:
        measure = shelf.get(name.base)
        looked_at = answers if present is None or not measure.needs_distances else present
        scores.append(_score(name, measure, looked_at, seed, groups))
    return tuple(scores)


def latency_of(run: Run) -> Latency:
    """How long the answered calls took, with the reason for each percentile that they are too few for."""
    answered = ~run.failed
    seconds = run.latency_s[answered]
    p50_s, p95_s, p99_s = (percentile(seconds, percent) for percent in (50, 95, 99))
    return Latency(
        calls=len(seconds),
        distinct_queries=len(np.unique(run.query_ids[answered])),
        failed=int(run.failed.sum()),
        warmup_calls=run.setup.warmup_calls,
        p50_s=p50_s,
        p95_s=p95_s,
        p99_s=p99_s,
        withheld={
            f"p{percent}_s": f"needs {least:,} calls, has {len(seconds):,}"
            for percent, least in CALLS_NEEDED.items()
            if len(seconds) < least
        },
    )


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


def _score(name: MeasureName, measure: Measure, answers: Answers, seed: int, groups: Groups) -> Score:
    demand_possible(measure, name, answers)
    name = replace(name, base=shelf.spelling(name.base))
    values = measure.per_query(answers, name)
    score = aggregate(str(name), measure, values, answers.failed, seed=seed, groups=groups)
    return replace(score, along=_means(measure.along(answers, name)))


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
