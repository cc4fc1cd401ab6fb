"""Proposes pairs by an int8 product as a filter, and a float32 number for those that pass it.

With q' and x' the float32 vectors (see kernels/candidates.py), t and s the scales of their int8 forms q8 and x8:

    <q', x'> = t s <q8, x8> + <q' - t q8, x'> + <t q8, x' - s x8>
            <= t s <q8, x8> + |q' - t q8| |x'| + |t q8| |x' - s x8|

so a pair whose right side, plus what is added to the row's similarity, stays below the threshold cannot reach it. The
lengths are the greatest of the block. Rows that the scale fits badly, which would make them great, are taken out of
the block and get float32 numbers; so does everything, once the filter lets too much through.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.kernels.candidates import Entered, Geometry, Singles, centred, plain_vectors
from truerecall.kernels.compiled import enter, reaching
from truerecall.kernels.compiled_keys import order_keys
from truerecall.kernels.int8 import LARGEST, Bytes, ExactProduct
from truerecall.model.arrays import Floats, Integers, Vectors
from truerecall.scan.finish import KeysOf
from truerecall.scan.float32 import Float32
from truerecall.scan.proposals import Proposed
from truerecall.scan.scratch import Scratch, Turns

ROOM_ABOVE_SAMPLE = 1.25
"""The scale fits values this many times the sample's largest: clipping costs more than coarseness."""

BADLY_FITTED = 1.5
"""Rows whose rest is this many times the median's are scanned in float32."""

TOO_MANY = 0.05
"""Share of pairs that pass the filter beyond which float32 numbers for all are cheaper."""

INFLATION = 1.001
"""Over the rounding of lengths that were summed in float32."""

LOST_REST = 2.0**-63
"""A smaller rest has no square in float32: at most this is lost of the length for each root of a dimension."""

LOST_STEP = LARGEST**2 * 2.0**-126
"""At most this is lost of a sum for each dimension where the step of a query and a row is too small for float32."""


@dataclass(frozen=True, eq=False)
class Int8Entered(Entered):
    """A block with its int8 form: ``fitted`` and ``other`` are the places of rows in the block."""

    packed: Any
    fitted: Integers
    fitted_vectors: Singles
    other: Integers
    longest_rest: float
    longest_fitted: float
    largest_column: float


class Int8:
    keys_of: KeysOf = staticmethod(order_keys)

    def __init__(
        self, geometry: Geometry, queries: Entered, sample: Entered, product: ExactProduct, plain: Float32
    ) -> None:
        self.name = f"int8 product by {product.name}, float32 numbers"
        self._geometry, self._queries, self._product, self._plain = geometry, queries, product, plain
        largest = float(np.abs(sample.vectors[:, :-1]).max(initial=0.0))
        self._centre = geometry.centre.astype(np.float32)
        self._row_scale = max(largest * ROOM_ABOVE_SAMPLE, 1e-30) / product.row_limit
        self._query_bytes, self._query_scales, self._query_rests = self._quantised_queries()
        self._blocks, self._scratch = Turns(), Scratch()
        self._looked = 0
        self._seen = 0

    def enter(self, block: Vectors) -> Entered:
        scratch = self._blocks.next()
        vectors = scratch.array("vectors", (len(block), self._geometry.width), np.float32)
        if self._too_coarse or not len(block):
            return self._geometry.rows(block, vectors)
        as_bytes = scratch.array("bytes", (len(block), len(self._centre)), np.int8)
        squares, rests = (scratch.array(name, (len(block),), np.float32) for name in ("squares", "rests"))
        plain, centre = plain_vectors(self._geometry.distance, block), self._centre
        if plain.dtype == np.float64:
            # It must not be rounded before the centre is subtracted.
            plain, centre = centred(plain, self._geometry.centre, vectors[:, :-1]), np.zeros_like(centre)
        enter(
            plain.astype(np.float32, copy=False),
            centre,
            self._row_scale,
            self._product.row_limit,
            vectors,
            as_bytes,
            squares,
            rests,
        )
        entered = self._geometry.entered(vectors, squares.astype(np.float64))
        if not np.isfinite(entered.longest):
            return entered
        good = rests <= BADLY_FITTED * np.partition(rests, len(rests) // 2)[len(rests) // 2] + 1e-30
        fitted, other = np.flatnonzero(good), np.flatnonzero(~good)
        everything = not len(other)
        return Int8Entered(
            entered.vectors,
            entered.own,
            entered.lengths,
            packed=self._product.pack(as_bytes if everything else as_bytes[fitted]),
            fitted=fitted,
            fitted_vectors=entered.vectors if everything else entered.vectors[fitted],
            other=other,
            longest_rest=float(rests[fitted].max()) * INFLATION + LOST_REST * np.sqrt(len(self._centre)),
            longest_fitted=float(entered.lengths[fitted].max()),
            largest_column=float(np.abs(entered.vectors[fitted, -1]).max()),
        )

    def propose(self, tile: slice, entered: Entered, thresholds: Singles) -> Proposed:
        if not isinstance(entered, Int8Entered):
            return self._plain.propose(tile, entered, thresholds)
        with np.errstate(invalid="ignore"):  # a query that was given up has an infinite threshold
            found = self._filtered(tile, entered, thresholds)
        if not len(entered.other):
            return found
        other = Entered(entered.vectors[entered.other], entered.own[entered.other], entered.lengths[entered.other])
        rest = self._plain.propose(tile, other, thresholds)
        rest = Proposed(rest.queries, entered.other[rest.rows], rest.upper, rest.lower)
        return Proposed.joined([found, rest])

    @property
    def _too_coarse(self) -> bool:
        return self._looked > TOO_MANY * self._seen

    def _filtered(self, tile: slice, entered: Int8Entered, thresholds: Singles) -> Proposed:
        shape = (tile.stop - tile.start, len(entered.fitted))
        sums = self._scratch.array("sums", shape, np.int32)
        self._product.product(self._query_bytes[tile], entered.packed, sums)
        steps = (self._query_scales[tile] * self._row_scale).astype(np.float32)
        needed = self._needed(tile, entered, thresholds[tile].astype(np.float64))
        most = max(sums.size // 64, 2 * sums.shape[1])
        places, columns = (self._scratch.array(name, (most,), np.int64) for name in ("places", "columns"))
        numbers = self._scratch.array("numbers", (most,), np.float32)
        parts = []
        first = 0
        while first < len(sums):
            first, written, looked = reaching(
                sums,
                steps,
                needed,
                thresholds[tile],
                self._queries.vectors[tile],
                entered.fitted_vectors,
                first,
                places,
                columns,
                numbers,
            )
            self._looked += looked
            rows, upper = entered.fitted[columns[:written]], numbers[:written].copy()
            lower = np.subtract(upper, 2 * entered.own[rows], dtype=np.float32)
            parts.append(Proposed(places[:written] + tile.start, rows, upper, lower))
        self._seen += sums.size
        return Proposed.joined(parts)

    def _needed(self, tile: slice, entered: Int8Entered, thresholds: Floats) -> Singles:
        """What the integer part and the row's column must reach for the pair to possibly reach the threshold."""
        lengths, rests = self._queries.lengths[tile], self._query_rests[tile]
        needed = thresholds - rests * entered.longest_fitted - (lengths + rests) * entered.longest_rest
        # The compiled comparison works in float32: a sum is rounded once, and so are the product and the addition.
        dimensions = entered.vectors.shape[1] - 1
        largest_sum = self._query_scales[tile] * self._row_scale * LARGEST**2 * dimensions
        rounding = 2.0**-21 * (largest_sum + entered.largest_column + np.abs(needed)) + LOST_STEP * dimensions
        return np.asarray(np.nextafter((needed - rounding).astype(np.float32), np.float32(-np.inf)))

    def _quantised_queries(self) -> tuple[Bytes, Floats, Floats]:
        """Each query as int8, its scale, and the length of what that leaves. The last column (1) stays out."""
        vectors = self._queries.vectors[:, :-1]
        scales = np.maximum(np.abs(vectors).max(axis=1).astype(np.float64), 1e-30) / LARGEST
        as_bytes = np.rint(vectors / scales[:, None]).astype(np.int8)
        rests = vectors - as_bytes * scales[:, None]
        return as_bytes, scales, INFLATION * np.sqrt(np.add.reduce(rests * rests, axis=1))
