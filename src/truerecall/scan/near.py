"""All rows that lie within a distance of each query: what was added to a corpus is held against the lists so.

The bound of kernels/candidates.py says which pairs may lie within; float64 decides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.kernels.candidates import MOST_DIMENSIONS, SAFE_LENGTH, Geometry, reaching
from truerecall.kernels.distances import distances_of_keys, keys_of_distances
from truerecall.model.arrays import Booleans, Floats, Integers, Vectors
from truerecall.model.source import CorpusSource
from truerecall.scan.finish import exact_keys
from truerecall.scan.problem import BLOCK_ROWS, TILE_QUERIES

SAMPLE_ROWS = 1024


@dataclass(frozen=True, eq=False)
class Near:
    """Pairs of a query's place and a row, with their keys. ``crowded``: queries for which more rows than were asked
    for may lie within; none of theirs is named."""

    queries: Integers
    rows: Integers
    keys: Floats
    crowded: Booleans


def rows_within(source: CorpusSource, queries: Vectors, distance: str, edges: Floats, *, most: int) -> Near:
    """The rows whose distance from a query is at most its edge, for queries with at most ``most`` that may be.

    Every vector of both sides must have that distance; an edge may be infinite, and NaN where nothing is within.
    """
    sample = source.take(np.unique(np.linspace(0, source.rows - 1, min(source.rows, SAMPLE_ROWS)).astype(np.int64)))
    with np.errstate(over="ignore", invalid="ignore"):
        geometry = Geometry.around(distance, sample, queries)
        entered = geometry.queries(queries)
        keys = keys_of_distances(distance, edges)
        # A little for the rounding of the way from the distance to the similarity.
        similarities = geometry.similarity_of_keys(keys + 1e-12 * np.abs(keys), queries)
        safe = (entered.lengths <= SAFE_LENGTH) & (len(geometry.centre) <= MOST_DIMENSIONS)
        counts, crowded = np.zeros(len(queries), np.int64), np.zeros(len(queries), np.bool_)
        found: list[tuple[Integers, Integers]] = []
        for start, block in source.blocks(BLOCK_ROWS):
            rows = geometry.rows(block)
            proved = safe & (rows.longest <= SAFE_LENGTH)
            lowest = np.where(proved, similarities - geometry.slack(entered, rows.longest), -np.inf)
            lowest = np.where(np.isnan(edges) | crowded, np.inf, lowest)
            thresholds = np.nextafter(lowest.astype(np.float32), np.float32(-np.inf))
            for first in range(0, len(queries), TILE_QUERIES):
                tile = slice(first, min(first + TILE_QUERIES, len(queries)))
                shape = (tile.stop - tile.start, len(block))
                numbers = geometry.numbers(entered.vectors[tile], rows, np.empty(shape, np.float32))
                numbers[~proved[tile]] = 0  # whatever overflowed
                places, columns, _ = reaching(numbers, thresholds[tile], np.empty(shape, np.bool_))
                counts[tile] += np.bincount(places, minlength=shape[0])
                crowded[tile] = counts[tile] > most
                kept = ~crowded[first + places]
                found.append((first + places[kept], start + columns[kept]))
    none = np.empty(0, np.int64)
    asking = np.concatenate([none, *(places for places, _ in found)])
    near = np.concatenate([none, *(rows for _, rows in found)])
    kept = ~crowded[asking]
    asking, near = asking[kept], near[kept]
    exact = exact_keys(source, queries, distance, asking, near)
    within = distances_of_keys(distance, exact) <= edges[asking]
    return Near(asking[within], near[within], exact[within], crowded)
