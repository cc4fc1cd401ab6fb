"""The two scans behind the truth: one that proposes and proves, and one that looks at every pair in float64."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from threadpoolctl import threadpool_limits

from truerecall.kernels import exact
from truerecall.kernels.candidates import MOST_DIMENSIONS, SAFE_LENGTH, Geometry, guessed_thresholds, reaching
from truerecall.kernels.distances import distances_of_keys, keys_of_distances, order_keys
from truerecall.model.arrays import Booleans, Floats, Integers, Vectors
from truerecall.model.distance import Distance
from truerecall.model.progress import Progress
from truerecall.model.vectors import Corpus, QuerySet

SAMPLE_ROWS = (1024, 8192)
MOST_CANDIDATES = 20_000
"""Candidates of one query beyond which it is cheaper to scan it directly than to keep them."""
TILE_QUERIES = 512
FINISH_PAIRS = 1 << 16
"""How many pairs are gathered at a time for their exact keys."""


@dataclass(frozen=True, eq=False)
class Scan:
    """What is to be found. ``ranks`` break ties, None where the row number does. ``threads`` None: one per core."""

    corpus: Corpus
    queries: QuerySet
    distance: str
    k: int
    ranks: Integers | None
    block_rows: int
    threads: int | None

    @property
    def integral(self) -> bool:
        return self.corpus.source.dtype.kind in "iu" and self.queries.dtype.kind in "iu"

    @property
    def workers(self) -> int:
        return self.threads or len(os.sched_getaffinity(0))

    def tiles(self) -> list[slice]:
        """The queries in equal parts, at least one for each thread, none larger than TILE_QUERIES."""
        parts = max(-(-len(self.queries) // TILE_QUERIES), min(self.workers, len(self.queries)))
        edges = np.linspace(0, len(self.queries), parts + 1).astype(int)
        return [slice(int(a), int(b)) for a, b in pairwise(edges)]


@dataclass(frozen=True, eq=False)
class Answers:
    """The nearest rows of every query, the counts at the cut, and which queries the scan could prove."""

    nearest: exact.Pairs
    nearer: Integers
    tied: Integers
    proved: Booleans
    candidates: int


def scan_proposing(scan: Scan, distance: Distance, progress: Progress) -> Answers:
    """Candidates by a float32 product, exact keys for them, and a proof wherever the bound allows one.

    Vectors that overflow float32 give infinities and NaN in the product: they are proposed or not, and nothing about
    them is taken for proved.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return _propose_and_prove(scan, distance, progress)


def _propose_and_prove(scan: Scan, distance: Distance, progress: Progress) -> Answers:
    source, queries = scan.corpus.source, scan.queries.vectors
    sample_rows = int(np.clip(source.rows // 25, *SAMPLE_ROWS))
    stride = max(1, source.rows // sample_rows)
    sample = source.take(np.arange(0, source.rows, stride))
    geometry = Geometry.around(scan.distance, sample, queries)
    entered, lengths = geometry.queries(queries)
    sampled, longest = geometry.rows(sample)
    guesses = guessed_thresholds(entered @ sampled.T, source.rows, scan.k)
    slack = geometry.slack(lengths, longest)
    # Room for both parts of the bound, twice, and for the tie band. Too little is found out at the end.
    scale = np.square(lengths) + np.abs(guesses)
    thresholds = (guesses - 4 * slack - 2e-6 * scale).astype(np.float32)

    found = _Candidates(len(queries))
    progress.start("scanning", source.rows, "rows")
    tiles = scan.tiles()
    with threadpool_limits(1), ThreadPoolExecutor(scan.workers) as pool:

        def propose(part: slice, rows: Vectors) -> tuple[Integers, Integers]:
            with np.errstate(over="ignore", invalid="ignore"):  # which is each thread's own
                places, columns = reaching(entered[part] @ rows.T, thresholds[part])
            return places + part.start, columns

        for start, block in source.blocks(scan.block_rows):
            rows, block_longest = geometry.rows(block)
            longest = max(longest, block_longest)
            for places, columns in pool.map(propose, tiles, [rows] * len(tiles)):
                found.add(places, columns + start)
            thresholds[found.crowded()] = np.inf
            progress.advance(len(block))

    places, rows_found = found.pairs()
    pairs = _finish(scan, places, rows_found)
    cuts = exact.keys_at_cut(pairs, scan.k)
    answers = _answers(scan, distance, pairs, cuts)
    band_edge = _band_edge(scan, distance, cuts)
    proved = geometry.similarity_of_keys(band_edge, queries) >= thresholds + geometry.slack(lengths, longest)
    safe = longest <= SAFE_LENGTH and source.dimensions <= MOST_DIMENSIONS
    proved &= np.isfinite(cuts) & (lengths <= SAFE_LENGTH) & safe
    return replace(answers, proved=proved, candidates=len(places))


def scan_direct(scan: Scan, distance: Distance, known: Answers, wanted: Integers, progress: Progress) -> Answers:
    """``known`` with the queries ``wanted`` replaced by what a scan of every row in float64 finds."""
    if not len(wanted):
        return known
    source = scan.corpus.source
    best = _Best(scan, len(wanted))
    progress.start("scanning in float64", 2 * source.rows, "rows")
    for start, block in source.blocks(scan.block_rows):
        for place, query in enumerate(wanted):
            best.offer(place, start, order_keys(scan.distance, scan.queries.vectors[query], block))
        progress.advance(len(block))
    pairs = best.pairs()
    cuts = exact.keys_at_cut(pairs, scan.k)
    at_cut = distances_of_keys(scan.distance, cuts)
    bands = distance.tie_band(at_cut, integral=scan.integral)
    nearer, tied = np.zeros((2, len(wanted)), np.int64)
    for _, block in source.blocks(scan.block_rows):
        for place, query in enumerate(wanted):
            keys = order_keys(scan.distance, scan.queries.vectors[query], block)
            offset = distances_of_keys(scan.distance, keys) - at_cut[place]
            nearer[place] += int((offset < -bands[place]).sum())
            tied[place] += int((np.abs(offset) <= bands[place]).sum())
        progress.advance(len(block))
    return _merged(scan, known, wanted, pairs, nearer, tied)


class _Candidates:
    """Proposed pairs, block by block; a query with too many is given up and left to the direct scan."""

    def __init__(self, queries: int) -> None:
        self.counts = np.zeros(queries, np.int64)
        self._queries: list[Integers] = []
        self._rows: list[Integers] = []

    def add(self, queries: Integers, rows: Integers) -> None:
        self.counts += np.bincount(queries, minlength=len(self.counts))
        self._queries.append(queries)
        self._rows.append(rows)

    def crowded(self) -> Booleans:
        return self.counts > MOST_CANDIDATES

    def pairs(self) -> tuple[Integers, Integers]:
        """All pairs of the queries that were not given up."""
        queries, rows = np.concatenate(self._queries), np.concatenate(self._rows)
        keep = ~self.crowded()[queries]
        return queries[keep], rows[keep]


class _Best:
    """The k best rows of each query so far, by exact key and tie rank."""

    def __init__(self, scan: Scan, queries: int) -> None:
        self._scan = scan
        self._rows = [np.empty(0, np.int64)] * queries
        self._keys = [np.empty(0)] * queries

    def offer(self, query: int, start: int, keys: Floats) -> None:
        k, ranks = self._scan.k, self._scan.ranks
        if len(self._keys[query]) >= k:
            promising = np.flatnonzero(keys <= self._keys[query][-1])
            if not len(promising):
                return
        else:
            promising = np.arange(len(keys))
        if len(promising) > 2 * k:
            cut = np.partition(keys[promising], k - 1)[k - 1]
            promising = promising[keys[promising] <= cut]
        rows = np.concatenate((self._rows[query], start + promising))
        all_keys = np.concatenate((self._keys[query], keys[promising]))
        order = np.lexsort((rows if ranks is None else ranks[rows], all_keys))[:k]
        self._rows[query], self._keys[query] = rows[order], all_keys[order]

    def pairs(self) -> exact.Pairs:
        counts = [len(rows) for rows in self._rows]
        queries = np.repeat(np.arange(len(counts)), counts)
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        return exact.Pairs(queries, np.concatenate(self._rows), np.concatenate(self._keys), starts)


def _finish(scan: Scan, places: Integers, rows: Integers) -> exact.Pairs:
    """Exact keys for proposed pairs, read back in the order of rows."""
    order = np.argsort(rows, kind="stable")
    places, rows = places[order], rows[order]
    keys = np.empty(len(rows))
    for start in range(0, len(rows), FINISH_PAIRS):
        part = slice(start, start + FINISH_PAIRS)
        distinct, which = np.unique(rows[part], return_inverse=True)
        vectors = scan.corpus.source.take(distinct)
        keys[part] = order_keys(scan.distance, scan.queries.vectors[places[part]], vectors[which])
    return exact.ordered(places, rows, keys, scan.ranks, len(scan.queries))


def _answers(scan: Scan, distance: Distance, pairs: exact.Pairs, cuts: Floats) -> Answers:
    at_cut = distances_of_keys(scan.distance, cuts)
    bands = distance.tie_band(at_cut, integral=scan.integral)
    bands[~np.isfinite(bands)] = 0.0
    nearer, tied = exact.count_ties(pairs.queries, distances_of_keys(scan.distance, pairs.keys), at_cut, bands)
    none = np.zeros(len(cuts), bool)
    return Answers(exact.first(pairs, scan.k), nearer, tied, none, 0)


def _band_edge(scan: Scan, distance: Distance, cuts: Floats) -> Floats:
    """The key at the far edge of each query's tie band, a little beyond it for the rounding of the way there."""
    at_cut = distances_of_keys(scan.distance, cuts)
    edge = at_cut + distance.tie_band(at_cut, integral=scan.integral)
    return np.asarray(keys_of_distances(scan.distance, edge) + 1e-12 * np.abs(cuts))


def _merged(
    scan: Scan, known: Answers, wanted: Integers, pairs: exact.Pairs, nearer: Integers, tied: Integers
) -> Answers:
    kept = ~np.isin(known.nearest.queries, wanted)
    nearest = exact.ordered(
        np.concatenate((known.nearest.queries[kept], wanted[pairs.queries])),
        np.concatenate((known.nearest.rows[kept], pairs.rows)),
        np.concatenate((known.nearest.keys[kept], pairs.keys)),
        scan.ranks,
        len(scan.queries),
    )
    all_nearer, all_tied = known.nearer.copy(), known.tied.copy()
    all_nearer[wanted], all_tied[wanted] = nearer, tied
    return replace(known, nearest=nearest, nearer=all_nearer, tied=all_tied)
