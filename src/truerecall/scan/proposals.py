"""The pairs that a scan has proposed so far, and the thresholds that a pair must reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truerecall.kernels.candidates import Singles
from truerecall.model.arrays import Booleans, Floats, Integers

MOST_PER_QUERY = 20_000
"""Candidates of one query beyond which it is cheaper to look at all its rows than to keep them."""


@dataclass(frozen=True, eq=False)
class Proposed:
    """Pairs of queries and rows; ``upper`` must reach the threshold of the query, and ``lower``, less the query's
    slack, is what its true similarity is at least."""

    queries: Integers
    rows: Integers
    upper: Singles
    lower: Singles

    def __len__(self) -> int:
        return len(self.queries)

    def where(self, keep: Booleans | Integers) -> Proposed:
        return Proposed(self.queries[keep], self.rows[keep], self.upper[keep], self.lower[keep])

    @classmethod
    def joined(cls, parts: list[Proposed]) -> Proposed:
        return cls(
            np.concatenate([part.queries for part in parts]),
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.upper for part in parts]),
            np.concatenate([part.lower for part in parts]),
        )


class Proposals:
    """Collects pairs and raises the thresholds as better ones come in.

    Thresholds only rise. Once k pairs of a query are known, no row matters that lies further below the k-th lower
    bound than the query's ``allowance`` (its slack twice, and the tie band): the threshold rises to there. A query
    that still keeps too many pairs is given up: its threshold becomes infinite.
    """

    def __init__(self, thresholds: Singles, allowances: Floats, k: int) -> None:
        self.thresholds = thresholds
        self.total = 0
        self._allowances = allowances
        self._k = k
        nothing = np.empty(0, np.int64)
        self._parts = [Proposed(nothing, nothing, np.empty(0, np.float32), np.empty(0, np.float32))]
        self._held = 0
        self._most_held = len(thresholds) * most_held_per_query(k)

    def add(self, pairs: Proposed) -> None:
        self._parts.append(pairs)
        self._held += len(pairs)
        self.total += len(pairs)
        if self._held > self._most_held:
            self.tightened()

    def tightened(self) -> Proposed:
        """The pairs that are still worth looking at, once the thresholds have risen as far as they can."""
        pairs = Proposed.joined(self._parts)
        # NumPy sorts small whole numbers by radix, many times faster.
        small = len(self.thresholds) <= np.iinfo(np.uint16).max
        queries = pairs.queries.astype(np.uint16) if small else pairs.queries
        pairs = pairs.where(np.argsort(queries, kind="stable"))
        starts = np.searchsorted(pairs.queries, np.arange(len(self.thresholds) + 1))
        for query in np.flatnonzero(np.diff(starts) >= self._k):
            mine = pairs.lower[starts[query] : starts[query + 1]]
            kth = np.partition(mine, len(mine) - self._k)[len(mine) - self._k]
            raised = np.nextafter(np.float32(kth - self._allowances[query]), np.float32(-np.inf))
            self.thresholds[query] = max(self.thresholds[query], raised)
        pairs = pairs.where(pairs.upper >= self.thresholds[pairs.queries])
        counts = np.bincount(pairs.queries, minlength=len(self.thresholds))
        crowded = counts > max(MOST_PER_QUERY, 4 * self._k)
        self.thresholds[crowded] = np.inf
        pairs = pairs.where(~crowded[pairs.queries])
        self._parts, self._held = [pairs], len(pairs)
        return pairs

    def state(self) -> dict[str, NDArray[Any]]:
        """All that is needed to go on later."""
        pairs = self.tightened()
        return {
            "thresholds": self.thresholds,
            "total": np.array(self.total),
            "queries": pairs.queries,
            "rows": pairs.rows,
            "upper": pairs.upper,
            "lower": pairs.lower,
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what ``state`` gave."""
        pairs = Proposed(state["queries"], state["rows"], state["upper"], state["lower"])
        self.thresholds, self.total = state["thresholds"], int(state["total"])
        self._parts, self._held = [pairs], len(pairs)


def most_held_per_query(k: int) -> int:
    """How many pairs are kept for each query before the thresholds are raised."""
    return 4 * k + 600
