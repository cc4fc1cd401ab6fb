"""The pairs that a scan has proposed so far, and the thresholds that a pair must reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truerecall.kernels.candidates import Singles
from truerecall.kernels.ranking import kth_largest
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
        if len(parts) == 1:
            return parts[0]
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
        self._hold(Proposed(nothing, nothing, np.empty(0, np.float32), np.empty(0, np.float32)))

    def add(self, pairs: Proposed) -> None:
        self._parts.append(pairs)
        self._held += len(pairs)
        self.total += len(pairs)
        if self._held > self._enough:
            self.tightened()

    def tightened(self) -> Proposed:
        """The pairs that are still worth looking at, once the thresholds have risen as far as they can."""
        pairs = Proposed.joined(self._parts)
        kth = kth_largest(pairs.queries, pairs.lower, self._k, len(self.thresholds))
        raised = np.nextafter((kth - self._allowances).astype(np.float32), np.float32(-np.inf))
        np.fmax(self.thresholds, raised, out=self.thresholds)
        pairs = pairs.where(np.flatnonzero(pairs.upper >= self.thresholds[pairs.queries]))
        crowded = np.bincount(pairs.queries, minlength=len(self.thresholds)) > max(MOST_PER_QUERY, 4 * self._k)
        if crowded.any():
            self.thresholds[crowded] = np.inf
            pairs = pairs.where(np.flatnonzero(~crowded[pairs.queries]))
        self._hold(pairs)
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
        self.thresholds, self.total = state["thresholds"], int(state["total"])
        self._hold(Proposed(state["queries"], state["rows"], state["upper"], state["lower"]))

    def _hold(self, pairs: Proposed) -> None:
        """Keep these pairs, and say when there will be enough for the thresholds to rise again.

        Half as many again: raising them early spares the scan more than it costs.
        """
        self._parts, self._held = [pairs], len(pairs)
        most, least = most_held_per_query(self._k), self._k + self._k // 2 + 16
        self._enough = max(len(self.thresholds) * least, min(self._held * 3 // 2, len(self.thresholds) * most))


def most_held_per_query(k: int) -> int:
    """How many pairs may be kept for each query before the thresholds are raised."""
    return 4 * k + 600
