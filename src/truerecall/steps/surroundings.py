"""The exact surroundings of some vectors: their nearest rows among many, themselves left out, and how far rows lie in
general."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from truerecall.kernels.candidates import plain_vectors
from truerecall.model.arrays import Booleans, Floats, Integers, Vectors
from truerecall.model.distance import Distance, distance_named
from truerecall.model.eligibility import Eligibility, RowLists
from truerecall.model.progress import SILENT, Progress
from truerecall.model.shape import Lengths
from truerecall.model.source import ArraySource, CorpusSource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.problem import Problem
from truerecall.steps.exact import exact_nearest


@dataclass(frozen=True, eq=False)
class Surroundings:
    """For each point its nearest rows in order, and their distances: shape (points, depth)."""

    rows: Integers
    distances: Floats

    def cut(self, depth: int) -> Surroundings:
        return Surroundings(self.rows[:, :depth], self.distances[:, :depth])


@dataclass(frozen=True)
class Searching:
    """How a scan is done: the distance, the memory that it may take, and who listens."""

    distance: Distance
    memory_bytes: int | None = None
    progress: Progress = SILENT


def surroundings(
    source: CorpusSource,
    points: Vectors,
    depth: int,
    how: Searching,
    *,
    usable: Booleans | None = None,
    own: Integers | None = None,
) -> Surroundings:
    """The ``depth`` nearest usable rows of every point by an exact scan. ``own``: the row that each point is, which
    may not be found. At least ``depth`` rows are left to each point; where that is 0 there is nothing to find."""
    if depth < 1 or not len(points):
        return Surroundings(np.empty((len(points), 0), np.int64), np.empty((len(points), 0)))
    excluded = None if own is None else RowLists(own, np.arange(len(own) + 1))
    everywhere = usable is None or bool(usable.all())
    problem = Problem(
        Corpus(source),
        QuerySet(points, name="points", bits=source.bits),
        how.distance,
        depth,
        None,
        Eligibility(None if everywhere else usable, None, excluded),
    )
    found, _ = exact_nearest(problem, key="", memory_bytes=how.memory_bytes, journal=None, progress=how.progress)
    shape = (len(points), depth)
    return Surroundings(found.nearest.rows.reshape(shape), problem.distances(found.nearest.keys).reshape(shape))


def among_themselves(vectors: Vectors, points: int, depth: int, bits: int | None, how: Searching) -> Surroundings:
    """The same of the first ``points`` of some vectors among all of these vectors."""
    source = ArraySource(vectors, "sampled rows", bits)
    return surroundings(source, vectors[:points], depth, how, own=np.arange(points))


def chords(distance: str, distances: Floats) -> Floats:
    """Distances as the shape of vectors is told in: under cosine the chord, else as they are."""
    return np.sqrt(np.maximum(0.0, 2.0 * distances)) if distance == "cosine" else distances


def mean_distances(distance: str, points: Vectors, others: Vectors, own: Integers | None = None) -> Floats:
    """For each point its mean distance to the ``others``, without the one at its place in ``own`` (-1: none); NaN where
    none is left. By the direct formula in float64."""
    asked, rows = (plain_vectors(distance, side).astype(np.float64) for side in (points, others))
    far = cdist(asked, rows, "cityblock" if distance in ("l1", "hamming") else "euclidean")
    counts = np.full(len(points), len(others))
    if own is not None:
        itself = np.flatnonzero(own >= 0)
        far[itself, own[itself]] = 0.0
        counts[itself] -= 1
    return np.where(counts > 0, far.sum(axis=1) / np.maximum(counts, 1), np.nan)


def geometry_of(distance: Distance, lengths: Lengths | None) -> Distance | None:
    """The distance that the shape is taken in. Inner products are no distances, but with rows of one length they order
    rows as the cosine does; with uneven ones there is none."""
    if distance.name != "ip":
        return distance
    return distance_named("cosine") if lengths is not None and lengths.even else None
