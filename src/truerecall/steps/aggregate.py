"""From a value per query to a score: the mean, how sure it is, who fares worst, and each stratum by itself."""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np

from truerecall.kernels.intervals import ALWAYS, Interval, mean_interval, split_half
from truerecall.kernels.ratios import wilson_interval
from truerecall.kernels.resampling import standard_error, units_of
from truerecall.model.arrays import Booleans, Floats, Integers, Texts
from truerecall.model.groups import UNGROUPED, Groups
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.score import Beside, LowTail, Score, StratumScore
from truerecall.steps.difference import ALIKE, bounds_of

QUERIES_FOR_FIFTH, QUERIES_FOR_FIRST = 20, 100


def aggregate(
    name: str,
    measure: Measure,
    per_query: PerQuery,
    failed: Booleans,
    *,
    seed: int,
    groups: Groups = UNGROUPED,
) -> Score:
    """The score over all queries that have a value; those of a failed query count as they are."""
    defined = per_query.defined
    values = per_query.values[defined]
    own = groups.chosen(defined)
    ci95, method = interval_of(measure, values, own.clusters, seed)
    return Score(
        measure=name,
        per_query=per_query,
        mean=mean_of(values),
        ci95=ci95,
        ci_method=method,
        n=len(values),
        undefined=dict(Counter(per_query.undefined[~defined].tolist())),
        failed=int((defined & failed).sum()),
        answered_mean=mean_of(per_query.values[defined & ~failed]),
        standard_error=_standard_error(values, own.clusters),
        split_half=split_half(values, seed=seed, clusters=own.clusters),
        low=low_tail(values),
        strata=_parts(measure, values, own.strata, own, seed),
        clusters=None if own.clusters is None else len(np.unique(own.clusters)),
        beside=_beside(measure, per_query, own.clusters, seed),
        groups=_parts(measure, values, None if per_query.groups is None else per_query.groups[defined], own, seed),
    )


def interval_of(measure: Measure, values: Floats, clusters: Integers | None, seed: int) -> tuple[Interval | None, str]:
    """The interval by the method that fits: Wilson's for a share of queries, each of which has 0 or 1.

    ``share`` of a measure says that it is one, unless passes differ; its ``bounds`` are infinite where it has none.
    """
    mixed = len(values) > 1 and values.min() != values.max()
    if measure.share and clusters is None and mixed and bool(np.isin(values, (0, 1)).all()):
        return wilson_interval(int(values.sum()), len(values)), "wilson"
    return mean_interval(values, seed=seed, bounds=measure.bounds, clusters=clusters)


def low_tail(values: Floats) -> LowTail | None:
    """The low end of the values; None where there are none."""
    if not len(values):
        return None
    fifth, first = np.percentile(values, [5, 1], method="inverted_cdf").tolist()
    return LowTail(
        fifth=fifth if len(values) >= QUERIES_FOR_FIFTH else None,
        first=first if len(values) >= QUERIES_FOR_FIRST else None,
        minimum=float(values.min()),
        at_zero=int((values <= 0).sum()),
    )


def mean_of(values: Floats) -> float | None:
    """The mean from an exactly rounded sum, which no order of the queries changes; None of nothing."""
    return math.fsum(values.tolist()) / len(values) if len(values) else None


def _standard_error(values: Floats, clusters: Integers | None) -> float | None:
    sums, sizes = units_of(values, clusters) if len(values) else (values, values)
    return standard_error(sums, sizes) if len(sums) > 1 else None


def _parts(
    measure: Measure, values: Floats, parts: Texts | None, groups: Groups, seed: int
) -> tuple[StratumScore, ...]:
    """The measure over the queries of each part; numbers in the names of parts count as numbers in their order."""
    if parts is None:
        return ()
    scores = []
    for name in sorted(set(parts.tolist()), key=_natural):
        inside = np.asarray(parts == name)
        ci95, method = interval_of(measure, values[inside], groups.chosen(inside).clusters, seed)
        scores.append(StratumScore(name, int(inside.sum()), mean_of(values[inside]), ci95, method))
    return tuple(scores)


def _natural(name: str) -> tuple[tuple[str, int], ...]:
    return tuple((words, int(number or 0)) for words, number in re.findall(r"([^0-9]*)([0-9]*)", name))


def _beside(measure: Measure, per_query: PerQuery, clusters: Integers | None, seed: int) -> Beside | None:
    defined = per_query.defined
    if per_query.exact is None or not defined.any():
        return None
    exact = per_query.exact[defined]
    lost = exact - per_query.values[defined]
    lost[np.abs(lost) <= ALIKE] = 0.0
    ci95, method = mean_interval(lost, seed=seed, bounds=bounds_of(lost), clusters=clusters, unseen=ALWAYS)
    return Beside(
        exact=math.fsum(exact.tolist()) / len(exact),
        exact_ci95=interval_of(measure, exact, clusters, seed)[0],
        lost=math.fsum(lost.tolist()) / len(lost),
        lost_ci95=ci95,
        lost_method=method,
    )
