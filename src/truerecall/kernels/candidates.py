"""Float32 numbers for pairs of vectors, with a rigorous bound on how far they can be off.

Similarity. A scan works with one number per pair that is larger for nearer rows:

    l2       <q - c, x - c> - |x - c|^2 / 2          |x - q|^2 = |q - c|^2 - 2 similarity
    hamming  the same on bits, whose squared l2 distance it is
    ip       <q, x - c>                              key = -similarity - <q, c>
    cosine   <q / |q|, x / |x| - c>                  key = 1 - similarity - <q / |q|, c>
    l1       -sum |x - c - (q - c)|                  key = -similarity

c is a centre near the corpus. Subtracting it (each difference is rounded once) removes the cancellation that makes
the expanded square useless far from the origin, and shortens the vectors and with them the bound.

Bound. Let u = 2^-24, and let q', x' be the float32 vectors that enter the sum. Each of their elements is off by at
most 2u of itself. A product of d terms summed in float32, in any order, fused or not, is off by at most
d u / (1 - d u) times the sum of the absolute terms. Together |computed - true| <= g |q'| |x'| with
g = 1.01 (d + 8) u; the half square of l2 adds 1.5 g |x'|^2 for its own rounding and its place in the sum. A sum of
absolute differences is off by at most g (|q'|_1 + |x'|_1).

For every a > 0, |q| |x| <= (|q|^2 / a + a |x|^2) / 2, which splits the bound into a part of the query (its *slack*)
and a part of the row (its *own*). The row's part is added to the computed number. So a row of outlying length widens
its own bound and nobody else's, and the laws of this file are:

    true similarity <= number + slack(query), and
    true similarity >= number - 2 own(row) - slack(query).

Underflow is in the slack: at most (d + 2) 2^-126 for each unit of length, even where small numbers are flushed to zero.

So is the rounding of the keys. What decides is a key as float64 computes it, and in terms of the similarity that is off
by what the formula loses where large terms cancel: (d + 8) 2^-53 times |q| (|c| + |x - c|) under ip, and as much again
of <q, c>. The part with |x - c| is a 2^-29th of the bound above and lies in its 1.01.
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

TYPICAL = 256
"""How many vectors of each side tell what lengths are usual."""

MOST_DIMENSIONS = 100_000
"""Beyond this, d u is no longer small and the bound above is not claimed."""


@dataclass(frozen=True, eq=False)
class Entered:
    """Vectors as they enter the sum.

    ``vectors``: shape (n, d + 1) for a product, whose last column holds what is added to each row's similarity and 1
    for queries; (n, d) for l1. ``own``: the bound's part of each row. ``lengths``: at least the true ones.
    """

    vectors: Singles
    own: Floats
    lengths: Floats

    @property
    def longest(self) -> float:
        return float(self.lengths.max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Geometry:
    """How the vectors of one corpus enter the sum. ``balance`` is the ``a`` and ``growth`` the ``g`` above."""

    distance: str
    centre: Floats
    balance: float
    growth: float

    @classmethod
    def around(cls, distance: str, sample: NDArray[Any], queries: NDArray[Any]) -> Geometry:
        """A geometry that suits a sample of the corpus. Any other centre and balance would be as correct."""
        plain = plain_vectors(distance, sample)
        # Representable in float32, so that subtracting it from float32 vectors rounds once.
        centre = np.zeros(plain.shape[1]) + np.mean(plain, axis=0, dtype=np.float64).astype(np.float32)
        growth = 1.01 * (plain.shape[1] + 8) * UNIT
        first = cls(distance, centre, 1.0, growth)
        typical = first.rows(_some(sample)), first.queries(_some(queries))
        row, query = (float(np.median(side.lengths)) for side in typical)
        return cls(distance, centre, query / row if row > 0 and query > 0 else 1.0, growth)

    @property
    def width(self) -> int:
        """The number of columns of vectors as they enter the sum."""
        return len(self.centre) + (0 if self.distance == "l1" else 1)

    def rows(self, block: NDArray[Any], out: Singles | None = None) -> Entered:
        """A block of the corpus as it enters the sum; its vectors are written to ``out``, shape (rows, width)."""
        vectors = np.empty((len(block), self.width), np.float32) if out is None else out
        if self.distance == "l1":
            centred(plain_vectors("l1", block), self.centre, vectors)
            lengths = self._upper(np.abs(vectors).sum(axis=1, dtype=np.float64))
            return Entered(vectors, self.growth * lengths, lengths)
        return self.entered(
            vectors, _squares(centred(plain_vectors(self.distance, block), self.centre, vectors[:, :-1]))
        )

    def entered(self, vectors: Singles, squares: Floats) -> Entered:
        """Centred vectors with the last column filled in; ``squares`` of their lengths, off by at most g."""
        own = self.growth * self.balance * self._upper(squares) / 2
        half: Floats | float = 0.0
        if self.squared:
            own += 1.5 * self.growth * squares
            half = squares / 2
        own += 4 * UNIT * np.abs(own - half)  # the column is rounded once
        vectors[:, -1] = own - half
        return Entered(vectors, own, np.sqrt(self._upper(squares)))

    def queries(self, vectors: NDArray[Any]) -> Entered:
        """The queries as they enter the sum."""
        plain = plain_vectors(self.distance, vectors)
        if self.distance == "l1":
            entered = centred(plain, self.centre, np.empty(plain.shape, np.float32))
            return Entered(entered, np.zeros(len(plain)), self._upper(np.abs(entered).sum(axis=1, dtype=np.float64)))
        entered = np.empty((len(plain), self.width), np.float32)
        if self.squared:
            centred(plain, self.centre, entered[:, :-1])
        else:
            np.copyto(entered[:, :-1], plain, casting="same_kind")
        entered[:, -1] = 1.0
        return Entered(entered, np.zeros(len(plain)), np.sqrt(self._upper(_squares(entered[:, :-1]))))

    def numbers(self, queries: Singles, rows: Entered, out: Singles) -> Singles:
        """The number of each pair, written to ``out``: shape (queries, rows)."""
        if self.distance != "l1":
            return np.asarray(np.matmul(queries, rows.vectors.T, out=out))
        import faiss

        differences = faiss.pairwise_distances(queries, rows.vectors, faiss.METRIC_L1)
        return np.asarray(np.subtract(rows.own, differences, out=out, dtype=np.float32, casting="same_kind"))

    def slack(self, queries: Entered, longest_row: float) -> Floats:
        """The query's part of the bound, for rows up to ``longest_row`` long."""
        underflow = (len(self.centre) + 2) * 2.0**-126 * (1.0 + queries.lengths + longest_row)
        if self.distance == "l1":
            # What is added to a number is rounded with it.
            own = self.growth * queries.lengths + 4 * UNIT * (queries.lengths + longest_row)
        else:
            own = self.growth * np.square(queries.lengths) / self.balance / 2
        return np.asarray(1.001 * (own + underflow + self._rounding_of_keys(queries.lengths)))

    def _rounding_of_keys(self, lengths: Floats) -> Floats | float:
        """How far float64 can put a key, or the similarity of one, from the true one, for queries of these lengths;
        what is a share of the key itself not counted."""
        unit = (len(self.centre) + 8) * 2.0**-52
        if self.distance == "l1":
            return 0.0
        if self.distance == "cosine":
            return 4 * unit  # two dot products, and the lengths that divide them
        return unit * lengths * (lengths if self.squared else np.sqrt(np.add.reduce(np.square(self.centre))))

    def similarity_of_keys(self, keys: Floats, queries: NDArray[Any]) -> Floats:
        """The similarity at which a key of each query lies; one key per query."""
        plain = plain_vectors(self.distance, queries).astype(np.float64)
        if self.squared:
            from_centre = plain - self.centre
            return np.asarray((np.add.reduce(from_centre * from_centre, axis=-1) - keys) / 2)
        if self.distance == "l1":
            return -keys
        offset = np.add.reduce(plain * self.centre, axis=-1)
        return np.asarray((1.0 if self.distance == "cosine" else 0.0) - keys - offset)

    @property
    def squared(self) -> bool:
        return self.distance in ("l2", "hamming")

    def _upper(self, lengths: Floats) -> Floats:
        """At least the true lengths or squares."""
        return np.asarray(lengths * (1.0 + 2.0 * self.growth) + 2.0**-120)


def guessed_cuts(lower: Singles, corpus_rows: int, k: int) -> Singles:
    """For each query a similarity that more than k rows of the corpus are likely to reach.

    ``lower``: shape (queries, sample rows), from a sample of the corpus. The k best rows of the corpus put
    k m / n of themselves into a sample of m; four standard deviations and three more make it unlikely that fewer than
    k rows lie above the one that is taken. Nothing correct hangs on the guess: it is verified at the end.
    """
    rows = lower.shape[1]
    expected = k * rows / corpus_rows
    rank = min(rows, k if rows == corpus_rows else int(expected + 4 * np.sqrt(expected) + 3))
    return np.asarray(np.partition(lower, rows - rank, axis=1)[:, rows - rank])


def reaching(numbers: Singles, thresholds: Singles, mask: NDArray[np.bool_]) -> tuple[Integers, Integers, Singles]:
    """The pairs of a tile that reach their query's threshold: the places of their queries and rows, and the numbers.

    ``mask``: room of the shape of ``numbers``.
    """
    np.greater_equal(numbers, thresholds[:, None], out=mask)
    flat = _true_places(mask.reshape(-1))
    queries, rows = np.divmod(flat, numbers.shape[1])
    return queries, rows, numbers.reshape(-1)[flat]


def _true_places(mask: NDArray[np.bool_]) -> Integers:
    """Where a flat mask is true. Few places are: eight at a time are passed over."""
    whole = len(mask) // 8 * 8
    groups = np.flatnonzero(mask[:whole].view(np.uint64))
    inside = mask[:whole].reshape(-1, 8)[groups]
    which, lane = np.nonzero(inside)
    return np.concatenate((groups[which] * 8 + lane, whole + np.flatnonzero(mask[whole:])))


def plain_vectors(distance: str, vectors: NDArray[Any]) -> NDArray[Any]:
    """The vectors whose inner products or differences count: bits unpacked, unit length under cosine."""
    if distance == "hamming":
        return np.unpackbits(vectors, axis=1)
    if distance == "cosine":
        return np.asarray(np.divide(vectors, np.sqrt(squared_lengths(vectors))[:, None], dtype=np.float64))
    standard = vectors.dtype.kind in "fiu"
    return vectors if standard else vectors.astype(np.float32)  # bfloat16 fits


def centred(vectors: NDArray[Any], centre: Floats, out: Singles) -> Singles:
    """The vectors less the centre, each element rounded once, in ``out``."""
    wide = vectors.dtype == np.float64
    np.subtract(vectors, centre if wide else centre.astype(np.float32), out=out, casting="same_kind")
    return out


def _some(vectors: NDArray[Any]) -> NDArray[Any]:
    """About TYPICAL of the vectors, from all over."""
    return vectors[:: max(1, len(vectors) // TYPICAL)]


def _squares(vectors: Singles) -> Floats:
    """The square of each length, off by at most g of itself."""
    return np.asarray(np.einsum("ij,ij->i", vectors, vectors), np.float64)
