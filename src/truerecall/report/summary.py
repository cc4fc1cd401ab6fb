"""One pure summary of judged curves: everything that any face of the report shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from truerecall.model.curve import Curve
from truerecall.model.labels import Labels
from truerecall.model.measure_name import MeasureName
from truerecall.model.truth import GroundTruth
from truerecall.report.behind import behind_filters
from truerecall.report.builds import build_rows
from truerecall.report.card import truth_facts
from truerecall.report.environment import environment_table
from truerecall.report.families import families_of
from truerecall.report.headline import extremes, headline
from truerecall.report.names import family_labels
from truerecall.report.summary_parts import Summary
from truerecall.report.trust import trust_in
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
    taken here. What was measured behind filters stands apart, unless all was measured behind one. Builds of one
    configuration are one family; families whose labels agree are told apart by what differs.
    """
    k = MeasureName.parse(measure).k
    shared = len({curve.points[0].run.setup.where for curve in curves}) == 1
    whole = [curve for curve in curves if shared or curve.points[0].run.setup.where is None]
    narrowed = [curve for curve in curves if curve not in whole]
    labels_of = family_labels(whole)
    names = [curve.label for curve in curves]
    families = families_of(whole, labels_of, measure, seed)
    return Summary(
        title=f"How much of the true top {k} does {labels_of[0] if len(families) == 1 else 'each index'} find?",
        measure=measure,
        k=k,
        distance=truth.distance,
        headline=headline(families, measure, k),
        extremes=extremes(families, measure),
        trust=trust_in(curves, names),
        families=families,
        builds=build_rows(whole),
        behind=behind_filters(whole, narrowed, families, measure, k, seed),
        worst=worst_queries(whole, names, truth, measure, corpus_texts or {}, query_texts or {}, labels, worst),
        truth=truth_facts(truth),
        environment=environment_table(curves, names),
        judge=labels.judge if labels is not None else "",
        ci_methods=_interval_methods(curves),
    )


def _interval_methods(curves: Sequence[Curve]) -> tuple[str, ...]:
    """The methods of the intervals that are shown, in words."""
    used = {score.ci_method for curve in curves for point in curve.points for score in point.scores if score.ci95}
    return tuple(INTERVAL_METHODS.get(method, method) for method in sorted(used))
