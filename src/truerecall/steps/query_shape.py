"""The shape of queries: which of them repeat each other, and how they lie to the corpus."""

from __future__ import annotations

import numpy as np

from truerecall.kernels.distances import pair_distances
from truerecall.kernels.equal_rows import group_sizes
from truerecall.kernels.fingerprint import row_digests
from truerecall.kernels.ratios import wilson_interval
from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.model.distance import Distance
from truerecall.model.shape import Closeness, CorpusShape, Duplicates, Estimate, QueryShape, Shift, undefined
from truerecall.model.source import ArraySource, CorpusSource
from truerecall.model.vectors import QuerySet
from truerecall.steps.query_shift import shift_of
from truerecall.steps.row_shape import NO_DISTANCE, Sample, contrast_of
from truerecall.steps.surroundings import Searching, chords, mean_distances, surroundings
from truerecall.steps.survey import Survey, survey

NEAR = 0.1
"""Two queries are near-duplicates where they lie closer to each other than this share of the way to the nearest row:
by the triangle inequality their distances to any row then differ by less than this share of the nearest's."""


class Asked:
    """The usable queries, and which of them are inspected: all, or so many drawn by the seed."""

    def __init__(self, queries: QuerySet, distance: Distance, most: int, random: np.random.Generator) -> None:
        self.found = survey(ArraySource(queries.vectors, queries.name, queries.bits), distance)
        self.usable: Integers = np.flatnonzero(self.found.usable)
        drawn = random.choice(len(self.usable), min(most, len(self.usable)), replace=False)
        self.inspected: Integers = np.sort(drawn)
        self.vectors = queries.vectors[self.usable]
        places = self.usable[self.inspected]
        given = None if queries.given_ids is None else queries.given_ids[places]
        self.queries = QuerySet(queries.vectors[places], given, queries.name, queries.bits)


def query_shape(
    asked: Asked,
    corpus: CorpusShape,
    surveyed: Survey,
    rows: Integers,
    source: CorpusSource,
    sample: Sample,
    geometry: Distance | None,
    how: Searching,
    seed: int,
) -> QueryShape:
    """``rows``: for each inspected query its nearest rows in order, shape (queries, k); ``surveyed``: the corpus."""
    inspected = asked.queries
    lying = _closeness(inspected, rows, source, sample, geometry, corpus)
    repeats = Duplicates(len(asked.usable), group_sizes(row_digests(asked.vectors)))
    near, apart = _near(asked, lying.nearest, geometry, how)
    return QueryShape(
        name=inspected.name,
        n=asked.found.faults.n,
        inspected=len(inspected),
        faults=asked.found.faults,
        copies=np.where(asked.found.usable, surveyed.copies, 0),
        repeats=repeats,
        near=near,
        apart=apart,
        closeness=lying,
        shift=shift_of(inspected.vectors, sample, how.distance, lying.nearest, corpus.closeness.nearest, seed),
    )


def no_query_usable(asked: Asked, corpus: CorpusShape) -> QueryShape:
    """The shape where there is nothing to look at."""
    none, reason = np.empty(0), undefined("no query is usable")
    n = asked.found.faults.n
    return QueryShape(
        name=asked.queries.name,
        n=n,
        inspected=0,
        faults=asked.found.faults,
        copies=np.zeros(n, np.int64),
        repeats=Duplicates(0, np.empty(0, np.int64)),
        near=reason,
        apart=none,
        closeness=Closeness(corpus.k, corpus.usable, none, none, none, reason),
        shift=Shift(reason, reason, reason, none, none),
    )


def _closeness(
    queries: QuerySet,
    rows: Integers,
    source: CorpusSource,
    sample: Sample,
    geometry: Distance | None,
    corpus: CorpusShape,
) -> Closeness:
    n, k = rows.shape
    if geometry is None or not n:
        none = np.empty(0)
        reason = NO_DISTANCE if n else "no query is usable"
        return Closeness(k, corpus.usable, none, none, none, undefined(reason))
    ends = np.unique(rows[:, [0, k - 1]])
    vectors = source.take(ends)
    first, last = (vectors[np.searchsorted(ends, rows[:, place])] for place in (0, k - 1))
    nearest, at_k = (chords(geometry.name, pair_distances(geometry.name, queries.vectors, x)) for x in (first, last))
    means = mean_distances(geometry.name, queries.vectors, sample.vectors[sample.others])
    return Closeness(k, corpus.usable, nearest, at_k, means, contrast_of(means, at_k, 0))


def _near(asked: Asked, nearest: Floats, geometry: Distance | None, how: Searching) -> tuple[Estimate, Floats]:
    """The share of inspected queries that repeat another query, and how far each lies from the nearest other one."""
    if geometry is None:
        return undefined(NO_DISTANCE), np.empty(0)
    if len(asked.vectors) < 2:
        return undefined("there is one usable query" if len(asked.vectors) else "no query is usable"), np.empty(0)
    queries = ArraySource(asked.vectors, "queries", asked.queries.bits)
    search = Searching(geometry, how.memory_bytes, how.progress)
    found = surroundings(queries, asked.queries.vectors, 1, search, own=asked.inspected)
    other = chords(geometry.name, found.distances[:, 0])
    apart = np.full(len(other), np.inf)
    np.divide(other, nearest, out=apart, where=nearest > 0)
    apart[other == 0] = 0.0
    repeated: Booleans = apart < NEAR
    hits, n = int(repeated.sum()), len(repeated)
    everything = n == len(asked.vectors)
    interval = None if everything else wilson_interval(hits, n)
    return Estimate(hits / n, n, interval, "counted" if everything else "wilson"), apart
