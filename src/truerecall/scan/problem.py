"""What a scan is to find, and what it has found."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from truerecall.kernels.distances import distances_of_keys
from truerecall.kernels.exact import Pairs
from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.model.distance import Distance
from truerecall.model.vectors import Corpus, QuerySet

TILE_QUERIES = 512
BLOCK_ROWS = 4096
FEWEST_ROWS = 16


@dataclass(frozen=True, eq=False)
class Problem:
    """The k nearest rows of every query. ``ranks`` break ties, None where the row number does.

    ``block_rows`` are read at a time; ``threads`` None means one for each core. Neither changes what is found.
    """

    corpus: Corpus
    queries: QuerySet
    distance: Distance
    k: int
    ranks: Integers | None
    block_rows: int = BLOCK_ROWS
    threads: int | None = None

    @property
    def workers(self) -> int:
        return self.threads or len(os.sched_getaffinity(0))

    def tiles(self) -> list[slice]:
        """The queries in equal parts, at least one for each thread, none larger than TILE_QUERIES."""
        parts = max(-(-len(self.queries) // TILE_QUERIES), min(self.workers, len(self.queries)))
        edges = np.linspace(0, len(self.queries), parts + 1).astype(int)
        return [slice(int(a), int(b)) for a, b in pairwise(edges)]

    def bands(self, at_cut: Floats) -> Floats:
        """The width of the tie band at these distances; zero where there is no cut."""
        integral = self.corpus.source.dtype.kind in "iu" and self.queries.dtype.kind in "iu"
        bands = self.distance.tie_band(at_cut, integral=integral)
        return np.where(np.isfinite(at_cut), bands, 0.0)

    def distances(self, keys: Floats) -> Floats:
        return distances_of_keys(self.distance.name, keys)


def block_rows_within(memory_bytes: int, dimensions: int, workers: int) -> int:
    """How many rows a block may have for the scan's working arrays to fit; never below FEWEST_ROWS.

    A row takes part in float32 and float64 copies of the block and in one product for each thread. The proposed pairs,
    a few thousand for each query, come on top.
    """
    bytes_per_row = 24 * dimensions + workers * TILE_QUERIES * 8
    return min(BLOCK_ROWS, max(FEWEST_ROWS, memory_bytes // bytes_per_row))


@dataclass(frozen=True, eq=False)
class Found:
    """The nearest rows of every query, the counts at the cut, and for which queries this is proved.

    ``candidates``: how many pairs were proposed.
    """

    nearest: Pairs
    nearer: Integers
    tied: Integers
    proved: Booleans
    candidates: int
