"""All rows that lie within a distance of each query: what was added to a corpus is held against the lists so.

The bound of kernels/candidates.py says which pairs may lie within; float64 decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from truerecall.kernels.candidates import MOST_DIMENSIONS, SAFE_LENGTH, Entered, Geometry, Singles, reaching
from truerecall.kernels.distances import distances_of_keys, keys_of_distances
from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.scan.finish import exact_keys
from truerecall.scan.problem import Problem

SAMPLE_ROWS = 1024


@dataclass(frozen=True, eq=False)
class Near:
    """Pairs of a query's place and a row, with their keys. ``crowded``: queries for which more rows than were asked
    for may lie within; none of theirs is named."""

    queries: Integers
    rows: Integers
    keys: Floats
    crowded: Booleans


def rows_within(problem: Problem, edges: Floats, *, most: int) -> Near:
    """The rows of the problem's corpus whose distance from a query is at most its edge, of queries for which at most
    ``most`` may be.

    Every vector of both sides must have that distance. Which rows may answer is not asked. An edge may be infinite.
    """
    n, source, distance = len(problem.queries), problem.corpus.source, problem.distance.name
    counts, crowded = np.zeros(n, np.int64), np.zeros(n, np.bool_)
    found: list[tuple[Integers, Integers]] = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    # As in every scan: a thread for each core, and every library on one thread of its own.
    with (
        threadpool_limits(1),
        ThreadPoolExecutor(problem.workers, initializer=threadpool_limits, initargs=(1,)) as pool,
    ):
        for places, rows in _possible(problem, edges, crowded, pool):
            counts += np.bincount(places, minlength=n)
            crowded |= counts > most
            kept = ~crowded[places]
            found.append((places[kept], rows[kept]))
        asking, near = (np.concatenate(parts) for parts in zip(*found, strict=True))
        kept = ~crowded[asking]
        asking, near = asking[kept], near[kept]
        keys = exact_keys(source, problem.queries.vectors, distance, asking, near, pool=pool)
    within = distances_of_keys(distance, keys) <= edges[asking]
    return Near(asking[within], near[within], keys[within], crowded)


def _possible(
    problem: Problem, edges: Floats, crowded: Booleans, pool: ThreadPoolExecutor
) -> Iterator[tuple[Integers, Integers]]:
    """Tile by tile and block by block, the pairs that may lie within; no more of queries that are crowded by then."""
    source, queries = problem.corpus.source, problem.queries.vectors
    places = np.unique(np.linspace(0, source.rows - 1, min(source.rows, SAMPLE_ROWS)).astype(np.int64))
    with np.errstate(over="ignore", invalid="ignore"):
        geometry = Geometry.around(problem.distance.name, source.take(places), queries)
        entered = geometry.queries(queries)
        keys = keys_of_distances(problem.distance.name, edges)
        # A little for the rounding of the way from the distance to the similarity.
        lowest = geometry.similarity_of_keys(keys + 1e-12 * np.abs(keys), queries)
        for start, block in source.blocks(problem.block_rows):
            rows = geometry.rows(block)
            proved = (entered.lengths <= SAFE_LENGTH) & (rows.longest <= SAFE_LENGTH)
            proved &= len(geometry.centre) <= MOST_DIMENSIONS
            reach = np.where(proved, lowest - geometry.slack(entered, rows.longest), -np.inf)
            reach = np.where(crowded, np.inf, reach)
            thresholds = np.nextafter(reach.astype(np.float32), np.float32(-np.inf))

            def of_tile(
                tile: slice,
                rows: Entered = rows,
                proved: Booleans = proved,
                thresholds: Singles = thresholds,
                start: int = start,
            ) -> tuple[Integers, Integers]:
                with np.errstate(over="ignore", invalid="ignore"):
                    shape = (tile.stop - tile.start, len(rows.own))
                    numbers = geometry.numbers(entered.vectors[tile], rows, np.empty(shape, np.float32))
                    numbers[~proved[tile]] = 0  # whatever overflowed
                    places, columns, _ = reaching(numbers, thresholds[tile], np.empty(shape, np.bool_))
                    return places + tile.start, columns + start

            yield from pool.map(of_tile, problem.tiles())
