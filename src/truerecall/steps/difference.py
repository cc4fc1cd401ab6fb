"""The paired difference of two settings: how large it is, how sure, and whether it could be chance."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from truerecall.errors import NotAMeasurement
from truerecall.kernels.builds import satterthwaite, spread_of_means, t_interval, t_p, variance_of_difference
from truerecall.kernels.intervals import ALWAYS, mean_interval
from truerecall.kernels.randomisation import sign_flip_p, smallest_p
from truerecall.kernels.resampling import standard_error, units_of
from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.model.comparison import Builds, Difference, Entrant
from truerecall.model.groups import Groups

ALIKE = 1e-12
"""Values of one query that are nearer than this are the same: they differ by rounding."""


def difference_of(setting: str, first: Entrant, second: Entrant, groups: Groups, seed: int) -> Difference:
    """The second less the first; ``p_holm`` and ``word`` are still those of this test alone.

    Raises NotAMeasurement where no query has a value on both sides.
    """
    shared = _defined(first) & _defined(second)
    if not shared.any():
        raise NotAMeasurement(f"no query has a value on both sides at {setting}", "choose another measure")
    one, other = (np.stack([own.per_query.values[shared] for own in side.passes]) for side in (first, second))
    clusters = groups.chosen(shared).clusters
    differences = other.mean(axis=0) - one.mean(axis=0)
    differences[np.abs(differences) <= ALIKE] = 0.0
    sums, sizes = units_of(differences, clusters)
    several = max(len(one), len(other)) > 1
    plain = Difference(
        setting=setting,
        first=_builds(one),
        second=_builds(other),
        difference=math.fsum(differences.tolist()) / len(differences),
        ci95=None,
        ci_method="none",
        standard_error=standard_error(sums, sizes) if len(sums) > 1 else None,
        unpaired_error=_unpaired(one, other),
        n=len(differences),
        left_out=int((~shared).sum()),
        higher=int((differences > 0).sum()),
        lower=int((differences < 0).sum()),
        same=int((differences == 0).sum()),
        claim="the method" if several else "this index",
        test="sign flips",
        p=1.0,
        smallest_p=smallest_p(len(sums)),
        p_holm=1.0,
        word="undecided",
    )
    if len(sums) < 2:
        return plain
    return _of_method(plain, one, other, clusters) if several else _of_index(plain, differences, clusters, seed)


def bounds_of(differences: Floats) -> tuple[float, float]:
    """Between which values a difference that was not seen is taken to lie: as far out as any that was, either way; from
    -1 to 1 where all are alike."""
    reach = 1.0 if differences.min() == differences.max() else float(np.abs(differences).max())
    return -reach, reach


def _of_index(plain: Difference, differences: Floats, clusters: Integers | None, seed: int) -> Difference:
    """A claim about the two built indexes: other queries could have been asked, and nothing else."""
    ci95, method = mean_interval(
        differences, seed=seed, bounds=bounds_of(differences), clusters=clusters, unseen=ALWAYS
    )
    sums, _ = units_of(differences, clusters)
    sums[np.abs(sums) <= ALIKE] = 0.0
    p, how = sign_flip_p(sums, seed=seed)
    return replace(plain, ci95=ci95, ci_method=method, p=p, test=f"sign flips, {how}")


def _of_method(plain: Difference, one: Floats, other: Floats, clusters: Integers | None) -> Difference:
    """A claim about the method: other queries could have been asked, and other builds made."""
    over_queries, over_builds, *freedoms = variance_of_difference(one, other, clusters)
    variance = over_queries + over_builds
    freedom = satterthwaite((over_queries, over_builds), (freedoms[0], freedoms[1]))
    if variance == 0:
        return replace(plain, claim="the method", test="t over queries and builds")
    return replace(
        plain,
        ci95=t_interval(plain.difference, variance, freedom),
        ci_method="t-queries-and-builds",
        standard_error=math.sqrt(variance),
        test="t over queries and builds",
        p=t_p(plain.difference, variance, freedom),
        smallest_p=0.0,
        build_share=over_builds / variance,
    )


def _defined(entrant: Entrant) -> Booleans:
    return np.asarray(np.all([own.per_query.defined for own in entrant.passes], axis=0))


def _builds(values: Floats) -> Builds:
    means = np.array([math.fsum(row) / len(row) for row in values.tolist()])
    return Builds(len(values), *spread_of_means(means))


def _unpaired(one: Floats, other: Floats) -> float | None:
    """The standard error that the difference would have, had each side been asked other queries."""
    n = one.shape[1]
    if n < 2:
        return None
    return math.sqrt(sum(float(side.mean(axis=0).var(ddof=1)) for side in (one, other)) / n)
