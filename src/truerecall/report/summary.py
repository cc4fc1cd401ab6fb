"""One pure summary of judged curves: everything that any face of the report shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from truerecall.model.curve import Curve
from truerecall.model.labels import Labels
from truerecall.model.measure_name import MeasureName
from truerecall.model.truth import GroundTruth
from truerecall.report.card import environment_table, truth_facts
from truerecall.report.headline import extremes, headline
from truerecall.report.parts import Summary
from truerecall.report.rows import curve_row
from truerecall.report.trust import trust_in
from truerecall.report.wording import count
from truerecall.report.worst import worst_queries

INTERVAL_METHODS = {
    "bca": "BCa bootstrap",
    "bayesian-bootstrap": "Bayesian bootstrap with half an unseen query at either bound, where one could matter",
    "rule-of-three": "rule of three where all queries agree",
    "wilson": "Wilson for shares",
}


def summarise(
    curves: Sequence[Curve],
    truth: GroundTruth,
    *,
    measure: str,
    corpus_texts: Mapping[str, str] | None = None,
    query_texts: Mapping[str, str] | None = None,
    labels: Labels | None = None,
    worst: int = 10,
    seed: int = 0,
) -> Summary:
    """Everything that is to be said about these curves.

    ``measure`` is the one that the headline, the charts and the worst queries speak of. Texts go by ``str(id)``.
    ``labels`` mark which of the missed neighbours a judge calls relevant. ``worst``: how many queries to show of
    the knee of the first curve. ``seed``: that of the scores, for the intervals that are
    taken here. Curves whose labels agree are told apart by their build, and by their warm-up.
    """
    k = MeasureName.parse(measure).k
    names = _distinct_labels(curves)
    rows = tuple(curve_row(curve, name, measure, seed) for curve, name in zip(curves, names, strict=True))
    return Summary(
        title=f"How much of the true top {k} does {names[0] if len(names) == 1 else 'each index'} find?",
        measure=measure,
        k=k,
        distance=truth.distance,
        headline=headline(rows, measure, k),
        extremes=extremes(rows, measure),
        trust=trust_in(curves, names),
        curves=rows,
        worst=worst_queries(curves, names, truth, measure, corpus_texts or {}, query_texts or {}, labels, worst),
        truth=truth_facts(truth),
        environment=environment_table(curves, names),
        judge=labels.judge if labels is not None else "",
        ci_methods=_interval_methods(curves),
    )


def _interval_methods(curves: Sequence[Curve]) -> tuple[str, ...]:
    """The methods of the intervals that are shown, in words."""
    used = {score.ci_method for curve in curves for point in curve.points for score in point.scores if score.ci95}
    return tuple(INTERVAL_METHODS.get(method, method) for method in sorted(used))


def _distinct_labels(curves: Sequence[Curve]) -> tuple[str, ...]:
    """What each curve is called: its label, with the build and then the warm-up where that is not its own yet."""
    plain = [curve.label for curve in curves]
    builds = [curve.build_id[:8] for curve in curves]
    warm_ups = [count(curve.points[0].run.setup.warmup_calls, "warm-up call") for curve in curves]
    with_build = [f"{label} ({build})" for label, build in zip(plain, builds, strict=True)]
    in_full = [f"{label} ({build}, {warm})" for label, build, warm in zip(plain, builds, warm_ups, strict=True)]
    return tuple(
        next((names[place] for names in (plain, with_build) if names.count(names[place]) == 1), in_full[place])
        for place in range(len(curves))
    )
