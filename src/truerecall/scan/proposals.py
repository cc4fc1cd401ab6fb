"""The pairs that a scan has proposed so far, and the thresholds that a pair must reach."""

from __future__ import annotations

import numpy as np

from truerecall.model.arrays import Booleans, Floats, Integers, Vectors

MOST_PER_QUERY = 20_000
"""Candidates of one query beyond which it is cheaper to look at all its rows than to keep them."""


class Proposals:
    """Collects pairs and raises the thresholds as better ones come in.

    A pair has two bounds: ``upper`` must reach the threshold of its query; ``lower``, less the query's slack, is what
    its true similarity is at least. Thresholds only rise. Once k pairs of a query are known, no row matters that lies
    further below the k-th lower bound than the query's ``allowance`` (its slack twice, and the tie band): the
    threshold rises to there. A query that still keeps too many pairs is given up: its threshold becomes infinite.
    """

    def __init__(self, thresholds: Vectors, allowances: Floats, k: int) -> None:
        self.thresholds = thresholds
        self.total = 0
        self._allowances = allowances
        self._k = k
        self._parts: list[tuple[Integers, Integers, Vectors, Vectors]] = []
        self._held = 0
        self._most_held = len(thresholds) * (8 * k + 2000)

    def add(self, queries: Integers, rows: Integers, upper: Vectors, lower: Vectors) -> None:
        self._parts.append((queries, rows, upper, lower))
        self._held += len(queries)
        self.total += len(queries)
        if self._held > self._most_held:
            self._tighten()

    def pairs(self) -> tuple[Integers, Integers]:
        """The queries and rows of the pairs that are still worth looking at."""
        self._tighten()
        return self._parts[0][:2]

    def _tighten(self) -> None:
        joined = [np.concatenate(column) for column in zip(*self._parts, strict=True)]
        order = np.argsort(joined[0], kind="stable")
        queries, rows, upper, lower = (column[order] for column in joined)
        starts = np.searchsorted(queries, np.arange(len(self.thresholds) + 1))
        for query in np.flatnonzero(np.diff(starts) >= self._k):
            mine = lower[starts[query] : starts[query + 1]]
            kth = np.partition(mine, len(mine) - self._k)[len(mine) - self._k]
            raised = np.nextafter(np.float32(kth - self._allowances[query]), np.float32(-np.inf))
            self.thresholds[query] = max(self.thresholds[query], raised)
        keep = upper >= self.thresholds[queries]
        crowded = self._crowded(queries[keep])
        self.thresholds[crowded] = np.inf
        keep &= ~crowded[queries]
        self._parts = [(queries[keep], rows[keep], upper[keep], lower[keep])]
        self._held = int(keep.sum())

    def _crowded(self, queries: Integers) -> Booleans:
        return np.bincount(queries, minlength=len(self.thresholds)) > max(MOST_PER_QUERY, 4 * self._k)
