"""The shape of a corpus, from one pass over all rows and from samples of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.kernels.distances import order_keys
from truerecall.kernels.intervals import mean_interval
from truerecall.kernels.ratios import bootstrap_interval, skewness_interval, wilson_interval
from truerecall.kernels.resampling import bca_interval
from truerecall.kernels.shape import local_dimensions, occurrences, relative_contrast, shuffled, skewness
from truerecall.model.arrays import Floats, Integers, Vectors
from truerecall.model.distance import Distance
from truerecall.model.shape import Closeness, Estimate, Hubs, Lengths, Structure, undefined
from truerecall.model.source import CorpusSource
from truerecall.steps.surroundings import (
    Searching,
    Surroundings,
    among_themselves,
    chords,
    mean_distances,
)
from truerecall.steps.survey import Survey
from truerecall.steps.unusable import SHORTEST_SQUARE

POINTS, BASE, OTHERS = 1_000, 10_000, 500
"""How many rows are held against the whole corpus, how many against each other, and against how many a mean distance
is taken."""

AGREEMENT_POINTS, AGREEMENT_ROWS = 200, 2_000
"""How many sampled rows ask, and how many are asked for, where the lists of two distances are compared."""

LOCAL_DEPTH, LEAST_LOCAL_DEPTH = 100, 10
"""How many neighbours a local intrinsic dimension is taken from, and the fewest. They should be a small part of all
rows: at most a tenth."""

EVEN, UNIT = 2e-3, 1e-3
"""Lengths that differ by less than this, or that differ from 1 by less, are equal: float16 rounds each value by up to
5e-4 of itself."""

NO_DISTANCE = "inner products are no distances, and these rows are not of one length"


@dataclass(frozen=True, eq=False)
class Sample:
    """Usable rows that were drawn: their numbers in random order, and their vectors. The first ``points`` are held
    against the whole corpus, all of them against each other."""

    rows: Integers
    vectors: Vectors
    points: int

    @classmethod
    def drawn(cls, source: CorpusSource, survey: Survey, random: np.random.Generator) -> Sample:
        usable = np.flatnonzero(survey.usable)
        rows = random.permutation(random.choice(usable, min(BASE, len(usable)), replace=False))
        ascending = np.sort(rows)  # files are read in order
        vectors = source.take(ascending)[np.searchsorted(ascending, rows)]
        return cls(rows, vectors, min(POINTS, len(rows)))

    @property
    def others(self) -> slice:
        """The rows that mean distances are taken to: the last of the sample."""
        return slice(max(0, len(self.rows) - OTHERS), len(self.rows))


def closeness_of_rows(sample: Sample, around: Surroundings, geometry: Distance | None, k: int, rows: int) -> Closeness:
    """What lies around the sampled rows, themselves left out, in the corpus of ``rows`` usable rows."""
    if geometry is None or around.distances.shape[1] == 0:
        reason = NO_DISTANCE if geometry is None else "there is one usable row"
        none = np.empty(0)
        return Closeness(k, rows, none, none, none, undefined(reason))
    far = chords(geometry.name, around.distances)
    others = sample.others
    own = np.arange(sample.points) - others.start
    means = mean_distances(
        geometry.name, sample.vectors[: sample.points], sample.vectors[others], np.where(own >= 0, own, -1)
    )
    return Closeness(k, rows, far[:, 0], far[:, k - 1], means, contrast_of(means, far[:, k - 1], 0))


def contrast_of(means: Floats, at_k: Floats, seed: int) -> Estimate:
    """The relative contrast over points, with its interval: points are resampled whole."""
    value = relative_contrast(means, at_k)
    if not np.isfinite(value):
        return undefined("the k-th nearest rows lie at distance zero", len(means))
    pairs = np.column_stack((means, at_k))
    interval = bootstrap_interval(lambda both: relative_contrast(both[:, 0], both[:, 1]), pairs, seed=seed)
    return Estimate(value, len(means), interval, "bootstrap" if interval else "none")


def local_dimension(around: Surroundings, geometry: Distance | None, seed: int) -> tuple[Floats, Estimate]:
    """The local intrinsic dimension at each point where it is defined, and its mean."""
    points, depth = around.distances.shape
    if geometry is None:
        return np.empty(0), undefined(NO_DISTANCE)
    if depth < LEAST_LOCAL_DEPTH:
        return np.empty(0), undefined(f"it needs {LEAST_LOCAL_DEPTH * 10 + 1} usable rows")
    found = local_dimensions(chords(geometry.name, around.distances))
    local = found[np.isfinite(found)]
    if not len(local):
        return local, undefined("every nearest row is a copy, or all distances are equal", points)
    interval = bca_interval(local, seed=seed) if len(local) > 1 and local.min() < local.max() else None
    method = "bca" if interval else "none"
    return local, Estimate(float(local.mean()), len(local), interval, method, left_out=points - len(local))


def ties_of_rows(around: Surroundings, distance: Distance, k: int, *, integral: bool) -> Estimate:
    """The share of points with a tie across the cut at k: the row after the k-th lies in its tie band."""
    points, depth = around.distances.shape
    if depth <= k:
        return undefined(f"it needs {k + 2:,} usable rows")
    at_cut, after = around.distances[:, k - 1], around.distances[:, k]
    # A distance that comes from a root is off by a rounding; two keys that are equal have equal roots.
    tied = int((after <= at_cut + distance.tie_band(at_cut, integral=integral)).sum())
    return Estimate(tied / points, points, wilson_interval(tied, points), "wilson")


def hubs_and_structure(
    sample: Sample, bits: int | None, k: int, how: Searching, geometry: Distance | None, random: np.random.Generator
) -> tuple[Hubs, Structure]:
    """How often rows stand in each other's lists, and whether dimensions have to do with each other."""
    n = len(sample.rows)
    depth = min(k, n - 1)
    own = among_themselves(sample.vectors, n, depth, bits, how)
    counts = occurrences(own.rows, n)
    none = np.empty(0)
    if depth < 1:
        reason = "there is one usable row"
        return Hubs(k, counts, undefined(reason), undefined(reason)), Structure(k, n, none, none, undefined(reason))
    hubs = Hubs(depth, counts, _skewness(counts), _absent(counts))
    if geometry is None:
        return hubs, Structure(depth, n, none, none, undefined(NO_DISTANCE))
    mixed = _shuffled(sample.vectors, bits, geometry, random)
    points = min(sample.points, len(mixed))
    if len(mixed) <= depth:
        return hubs, Structure(depth, n, none, none, undefined("the shuffled rows hold only zeros"))
    chance = among_themselves(mixed, points, depth, bits, how)
    at_k, by_chance = (chords(geometry.name, found.distances[:points, -1]) for found in (own, chance))
    return hubs, Structure(depth, n, at_k, by_chance, ratio_of_medians(at_k, by_chance))


def ratio_of_medians(above: Floats, below: Floats) -> Estimate:
    """The median of one group of distances over that of another; undefined where the other's is zero."""
    if not np.median(below) > 0:
        return undefined("half of the distances to compare with are zero", len(above))

    def ratio(a: Floats, b: Floats) -> float:
        divisor = float(np.median(b))
        return float(np.median(a)) / divisor if divisor > 0 else float("nan")

    interval = bootstrap_interval(ratio, above, below, seed=0)
    return Estimate(ratio(above, below), len(above), interval, "bootstrap" if interval else "none")


def lengths_of(survey: Survey, sample: Sample, k: int) -> Lengths | None:
    """The lengths of all usable rows, and whether they matter: how far ip and cosine agree among sampled rows."""
    if survey.lengths is None:
        return None
    values = survey.lengths[survey.usable]
    even = bool(values.min() > 0 and values.max() - values.min() <= EVEN * values.max())
    unit = bool(np.abs(values - 1.0).max() <= UNIT)
    vectors = sample.vectors[survey.lengths[sample.rows] ** 2 >= SHORTEST_SQUARE]
    depth = min(k, len(vectors) // 10)
    if depth < 1:
        return Lengths(values, even, unit, undefined("it needs 10 usable rows"))
    shares = np.array([_shared(vectors, point, depth) for point in range(min(AGREEMENT_POINTS, len(vectors)))])
    interval, method = mean_interval(shares, seed=0)
    return Lengths(values, even, unit, Estimate(float(shares.mean()), len(shares), interval, method))


def spread_of(vectors: Vectors, bits: int | None) -> Floats:
    """The standard deviation of each dimension, or bit."""
    values = vectors if bits is None else np.unpackbits(vectors, axis=1)[:, :bits]
    return np.asarray(values.astype(np.float64).std(axis=0))


def _shared(vectors: Vectors, point: int, depth: int) -> float:
    """The share of the ``depth`` nearest of a sampled row by ip that are so by cosine too, without the row itself."""
    rows = np.delete(vectors[:AGREEMENT_ROWS], point, axis=0)
    by_ip, by_cosine = (
        np.argsort(order_keys(name, vectors[point], rows), kind="stable")[:depth] for name in ("ip", "cosine")
    )
    return len(np.intersect1d(by_ip, by_cosine)) / depth


def _skewness(counts: Integers) -> Estimate:
    value = skewness(counts)
    if not np.isfinite(value):
        return undefined("every row stands in equally many lists", len(counts))
    return Estimate(value, len(counts), skewness_interval(counts, seed=0), "bootstrap")


def _absent(counts: Integers) -> Estimate:
    hits = int((counts == 0).sum())
    return Estimate(hits / len(counts), len(counts), wilson_interval(hits, len(counts)), "wilson")


def _shuffled(vectors: Vectors, bits: int | None, geometry: Distance, random: np.random.Generator) -> Vectors:
    """Every dimension, or bit, in an order of its own; without rows that then hold only zeros, under cosine."""
    if geometry.name == "hamming":
        return np.packbits(shuffled(np.unpackbits(vectors, axis=1), random), axis=1)
    mixed = shuffled(vectors, random)
    return mixed if geometry.zero_vectors_defined else mixed[np.asarray(mixed != 0).any(axis=1)]
