"""The fast scan: a float32 product proposes, exact keys decide, and a bound proves what was left out.

See kernels/candidates.py for the bound. Queries are worked on in tiles by one thread each, the product on one thread
of BLAS, while a block of the corpus is in the cache.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import repeat

import numpy as np
from threadpoolctl import threadpool_limits

from truerecall.kernels.candidates import MOST_DIMENSIONS, SAFE_LENGTH, Geometry, guessed_cuts, reaching
from truerecall.kernels.distances import keys_of_distances
from truerecall.kernels.exact import keys_at_cut
from truerecall.model.arrays import Floats, Integers, Vectors
from truerecall.model.progress import Progress
from truerecall.scan.finish import counted, exact_pairs
from truerecall.scan.problem import Found, Problem
from truerecall.scan.proposals import Proposals

SAMPLE_ROWS = (1024, 8192)


def scan_proposing(problem: Problem, progress: Progress) -> Found:
    """The nearest rows of every query, and for which of them the bound proves it."""
    # Vectors that overflow float32 give infinities and NaN; nothing about them is taken for proved.
    with np.errstate(over="ignore", invalid="ignore"), threadpool_limits(1):
        return _scan(problem, progress)


def _scan(problem: Problem, progress: Progress) -> Found:
    source, queries = problem.corpus.source, problem.queries.vectors
    sample = source.take(np.arange(0, source.rows, max(1, source.rows // _sample_rows(source.rows))))
    geometry = Geometry.around(problem.distance.name, sample, queries)
    entered, lengths = geometry.queries(queries)
    sampled, sampled_own, longest = geometry.rows(sample)
    with ThreadPoolExecutor(problem.workers) as pool:

        def guess(tile: slice) -> Vectors:
            with np.errstate(over="ignore", invalid="ignore"):  # which is each thread's own
                lower = np.subtract(entered[tile] @ sampled.T, 2 * sampled_own, dtype=np.float32)
                return guessed_cuts(lower, source.rows, problem.k)

        def propose(tile: slice, rows: Vectors, own: Floats) -> tuple[Integers, Integers, Vectors, Vectors]:
            with np.errstate(over="ignore", invalid="ignore"):
                places, columns, upper = reaching(entered[tile] @ rows.T, proposals.thresholds[tile])
                lower = np.subtract(upper, 2 * own[columns], dtype=np.float32)
            return places + tile.start, columns, upper, lower

        tiles = problem.tiles()
        guesses = np.concatenate(list(pool.map(guess, tiles)))
        # The slack twice, once for the k-th row and once for the others, and room for the tie band and for rounding.
        # Too little would be found out at the end.
        allowances = 2.01 * geometry.slack(lengths, longest) + 3e-6 * (np.square(lengths) + np.abs(guesses))
        proposals = Proposals((guesses - allowances).astype(np.float32), allowances, problem.k)
        progress.start("scanning", source.rows, "rows")
        for start, block in source.blocks(problem.block_rows):
            rows, own, block_longest = geometry.rows(block)
            longest = max(longest, block_longest)
            for places, columns, upper, lower in pool.map(propose, tiles, repeat(rows), repeat(own)):
                proposals.add(places, columns + start, upper, lower)
            progress.advance(len(block))

        pairs = exact_pairs(problem, *proposals.pairs(), pool)
    cuts = keys_at_cut(pairs, problem.k)
    # A row that was not proposed has a similarity below its threshold and slack; one that ties has the edge's or more.
    at_edge = geometry.similarity_of_keys(_band_edge(problem, cuts), queries)
    proved = at_edge >= proposals.thresholds + geometry.slack(lengths, longest)
    proved &= np.isfinite(cuts) & (lengths <= SAFE_LENGTH)
    if not (longest <= SAFE_LENGTH and source.dimensions <= MOST_DIMENSIONS):
        proved[:] = False
    return replace(counted(problem, pairs, cuts), proved=proved, candidates=proposals.total)


def _sample_rows(rows: int) -> int:
    return int(np.clip(rows // 25, *SAMPLE_ROWS))


def _band_edge(problem: Problem, cuts: Floats) -> Floats:
    """The key at the far edge of each query's tie band, a little beyond it for the rounding of the way there."""
    at_cut = problem.distances(cuts)
    keys = keys_of_distances(problem.distance.name, at_cut + problem.bands(at_cut))
    return np.asarray(keys + 1e-12 * np.abs(cuts))
