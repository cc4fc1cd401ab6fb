"""What a scan is to find, and what it has found."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from truerecall.kernels.distances import distances_of_keys
from truerecall.kernels.exact import Pairs
from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.model.distance import Distance
from truerecall.model.eligibility import EVERYTHING, Eligibility
from truerecall.model.vectors import Corpus, QuerySet

Method = Literal["fastest", "shortlist", "float32", "int8"]
TILE_QUERIES = 512
BLOCK_ROWS = 2048


@dataclass(frozen=True, eq=False)
class Problem:
    """The k nearest eligible rows of every query. ``ranks`` break ties, None where the row number does.

    ``block_rows`` are read at a time; ``threads`` None means one for each core; ``method`` is the way of proposing
    pairs. None of them changes what is found.
    """

    corpus: Corpus
    queries: QuerySet
    distance: Distance
    k: int
    ranks: Integers | None
    eligibility: Eligibility = EVERYTHING
    block_rows: int = BLOCK_ROWS
    threads: int | None = None
    method: Method = "fastest"

    @property
    def workers(self) -> int:
        return self.threads or len(os.sched_getaffinity(0))

    def tiles(self) -> list[slice]:
        """The queries in equal parts, at least one for each thread, none larger than TILE_QUERIES."""
        parts = max(-(-len(self.queries) // TILE_QUERIES), min(self.workers, len(self.queries)))
        edges = np.linspace(0, len(self.queries), parts + 1).astype(int)
        return [slice(int(a), int(b)) for a, b in pairwise(edges)]

    def of_queries(self, places: Integers) -> Problem:
        """The problem for some of the queries, where nothing restricts which rows may answer."""
        asked = self.queries
        return replace(self, queries=QuerySet(asked.vectors[places], asked.ids[places], asked.name))

    def eligible(self) -> Integers:
        """For each query how many rows may answer it."""
        return self.eligibility.counts(self.corpus.source.rows, len(self.queries))

    def bands(self, at_cut: Floats) -> Floats:
        """The width of the tie band at these distances; zero where there is no cut."""
        integral = self.corpus.source.dtype.kind in "iu" and self.queries.dtype.kind in "iu"
        bands = self.distance.tie_band(at_cut, integral=integral)
        return np.where(np.isfinite(at_cut), bands, 0.0)

    def distances(self, keys: Floats) -> Floats:
        return distances_of_keys(self.distance.name, keys)


@dataclass(frozen=True, eq=False)
class Found:
    """The nearest rows of every query, the counts at the cut, and for which queries this is proved.

    ``candidates``: how many pairs were proposed; ``scanned_again``: how many queries the first scan did not prove.
    """

    nearest: Pairs
    nearer: Integers
    tied: Integers
    proved: Booleans
    candidates: int
    scanned_again: int = 0
