"""A float32 scan that proposes candidates, with a rigorous bound on its error.

Similarity. The scan works with one number per pair that is larger for nearer rows, from one matrix product:

    l2       <q - c, x - c> - |x - c|^2 / 2     so that  |x - q|^2 = |q - c|^2 - 2 similarity
    ip       <q, x>                              so that  key = -similarity
    cosine   <q / |q|, x / |x|>                  so that  key = 1 - similarity

c is a centre near the corpus. Subtracting it (each difference is rounded once) removes the cancellation that makes
the expanded square useless far from the origin.

Bound. Let u = 2^-24, and let q', x' be the float32 vectors that enter the product. Each of their elements is off by
at most 2u of itself. A product of d terms summed in float32, in any order, fused or not, is off by at most
d u / (1 - d u) times the sum of the absolute terms. Together |computed - true| <= g |q'| |x'| with
g = 1.01 (d + 8) u; the half square of l2 adds 1.5 g |x'|^2 for its own rounding and its place in the sum.

For every a > 0, |q| |x| <= (|q|^2 / a + a |x|^2) / 2, which splits the bound into a part of the query (its *slack*)
and a part of the row (its *own*). The row's part is added to its similarity inside the product, by one more column.
So a row of outlying length widens its own bound and nobody else's, and the laws of this file are:

    true similarity <= computed number + slack(query), and
    true similarity >= computed number - 2 own(row) - slack(query).

Underflow is in the slack: at most (d + 2) 2^-126 for each unit of length, even where small numbers are flushed to zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truerecall.kernels.distances import squared_lengths

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Integers = NDArray[np.int64]

UNIT = 2.0**-24
SAFE_LENGTH = 1e15
"""Vectors longer than this, seen from the centre, could overflow float32: no proof is drawn from a scan of them."""

MOST_DIMENSIONS = 100_000
"""Beyond this, d u is no longer small and the bound above is not claimed."""


@dataclass(frozen=True, eq=False)
class Geometry:
    """How the vectors of one corpus enter the product. ``balance`` is the ``a`` and ``growth`` the ``g`` above."""

    distance: str
    centre: Floats
    balance: float
    growth: float

    @classmethod
    def around(cls, distance: str, sample: NDArray[Any], queries: NDArray[Any]) -> Geometry:
        """A geometry that suits a sample of the corpus. Any other centre and balance would be as correct."""
        centre: Floats = np.zeros(sample.shape[1])
        if distance == "l2":
            # Representable in float32, so that subtracting it from float32 vectors rounds once.
            centre += np.mean(sample, axis=0, dtype=np.float64).astype(np.float32)
        growth = 1.01 * (sample.shape[1] + 8) * UNIT
        plain = cls(distance, centre, 1.0, growth)
        row, query = (float(np.median(plain.lengths(vectors))) for vectors in (sample, queries))
        return cls(distance, centre, query / row if row > 0 and query > 0 else 1.0, growth)

    def rows(self, block: NDArray[Any]) -> tuple[Singles, Floats, float]:
        """The block as it enters the product, shape (rows, d + 1), the own bound of each row, the greatest length."""
        entered = np.empty((len(block), block.shape[1] + 1), np.float32)
        squares = self._enter(block, entered[:, :-1])
        own = self.growth * self.balance * self._upper(squares) / 2
        if self.distance == "l2":
            own += 1.5 * self.growth * squares
        half = squares / 2 if self.distance == "l2" else 0.0
        own += 4 * UNIT * np.abs(own - half)  # the column is rounded once
        entered[:, -1] = own - half
        return entered, own, float(np.sqrt(self._upper(squares).max(initial=0.0)))

    def queries(self, vectors: NDArray[Any]) -> tuple[Singles, Floats]:
        """The queries as they enter the product, shape (queries, d + 1), and the length of each (an upper bound)."""
        entered = np.empty((len(vectors), vectors.shape[1] + 1), np.float32)
        lengths = np.sqrt(self._upper(self._enter(vectors, entered[:, :-1])))
        entered[:, -1] = 1.0
        return entered, lengths

    def slack(self, query_lengths: Floats, longest_row: float) -> Floats:
        """The query's part of the bound, for queries of these lengths and rows up to ``longest_row`` long."""
        underflow = (len(self.centre) + 2) * 2.0**-126 * (1.0 + query_lengths + longest_row)
        return np.asarray(1.001 * (self.growth * np.square(query_lengths) / self.balance / 2 + underflow))

    def similarity_of_keys(self, keys: Floats, queries: NDArray[Any]) -> Floats:
        """The similarity at which a key of each query lies; one key per query."""
        if self.distance == "l2":
            return np.asarray((np.square(self.lengths(queries)) - keys) / 2)
        return -keys if self.distance == "ip" else 1.0 - keys

    def lengths(self, vectors: NDArray[Any]) -> Floats:
        """The length of each vector as the product sees it, in float64."""
        if self.distance == "cosine":
            return np.ones(len(vectors))
        return np.asarray(np.sqrt(squared_lengths(np.subtract(vectors, self.centre, dtype=np.float64))))

    def _enter(self, vectors: NDArray[Any], out: Singles) -> Floats:
        """Write the float32 form of ``vectors`` to ``out``; returns the square of each length, off by at most g."""
        if self.distance == "cosine":
            roots = np.sqrt(squared_lengths(vectors))
            np.divide(vectors, roots[:, None], out=out, casting="same_kind", dtype=np.float64)
            return np.ones(len(vectors))
        if self.distance == "l2":
            wide = vectors.dtype == np.float64
            centre = self.centre if wide else self.centre.astype(np.float32)
            np.subtract(vectors, centre, out=out, casting="same_kind")
        else:
            np.copyto(out, vectors, casting="same_kind")
        return np.asarray(np.einsum("ij,ij->i", out, out), np.float64)

    def _upper(self, squares: Floats) -> Floats:
        """At least the true squares."""
        return np.asarray(squares * (1.0 + 2.0 * self.growth) + 2.0**-120)


def guessed_cuts(lower: Singles, corpus_rows: int, k: int) -> Singles:
    """For each query a similarity that more than k rows of the corpus are likely to reach.

    ``lower``: shape (queries, sample rows), from a sample of the corpus. The k best rows of the corpus put
    k m / n of themselves into a sample of m; four standard deviations and three more make it unlikely that fewer than
    k rows lie above the one that is taken. Nothing correct hangs on the guess: it is verified at the end.
    """
    rows = lower.shape[1]
    expected = k * rows / corpus_rows
    rank = k if rows == corpus_rows else min(rows, int(expected + 4 * np.sqrt(expected) + 3))
    return np.asarray(np.partition(lower, rows - rank, axis=1)[:, rows - rank])


def reaching(numbers: Singles, thresholds: Singles) -> tuple[Integers, Integers, Singles]:
    """The pairs of a tile that reach their query's threshold: the places of their queries and rows, and the numbers."""
    flat = np.flatnonzero(numbers >= thresholds[:, None])
    queries, rows = np.divmod(flat, numbers.shape[1])
    return queries, rows, numbers.reshape(-1)[flat]
