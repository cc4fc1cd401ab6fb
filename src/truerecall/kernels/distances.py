"""Distances by their direct formulas in float64, summed in a fixed order.

Vectors are widened to float64 first, then subtracted or multiplied, then summed by ``numpy.add.reduce`` along the
contiguous last axis: NumPy sums each row by itself, pairwise, so that the value of a pair depends on the two vectors
alone and not on how many others are computed with it. BLAS and einsum give no such promise.

Rows are ordered by their *key*, which is smaller for nearer rows: the squared distance for l2 (two squares that
differ may share a root), the negated dot product for ip, one minus the cosine for cosine, the distance itself for l1
and for hamming, whose vectors are bits packed into bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LARGEST_VALUE = 1e150
"""Beyond this a square overflows float64."""

CHUNK_VALUES = 1 << 17
"""How many values are widened at a time: small enough for the cache, large enough to hide Python."""


def order_keys(
    distance: str,
    queries: NDArray[Any],
    rows: NDArray[Any],
    *,
    asking: NDArray[np.int64] | None = None,
) -> Floats:
    """The key of each pair: shape (p,) from two arrays of shape (p, d). ``queries`` may also be one vector (d,).

    With ``asking``, the place in ``queries`` of each row's partner. Values may be up to LARGEST_VALUE; under cosine no
    vector may be zero.
    """
    keys = np.empty(len(rows))
    step = max(1, CHUNK_VALUES // max(1, rows.shape[1]))
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        x = rows[part]
        q = queries if queries.ndim == 1 else queries[part if asking is None else asking[part]]
        if distance == "hamming":
            keys[part] = np.bitwise_count(q ^ x).sum(axis=-1, dtype=np.int64)
        else:
            keys[part] = _FORMULAS[distance](q, x)
    return keys


def distances_of_keys(distance: str, keys: Floats) -> Floats:
    """The distances that users read: for l2 the unsquared one, else the key itself."""
    return np.sqrt(keys) if distance == "l2" else keys.copy()


def keys_of_distances(distance: str, distances: Floats) -> Floats:
    """The key at which a distance lies; for l2 as near as a square of a root can be."""
    return np.square(distances) if distance == "l2" else distances.copy()


def pair_distances(distance: str, queries: NDArray[Any], rows: NDArray[Any]) -> Floats:
    """The distance of each pair: shape (p,) from two arrays of shape (p, d)."""
    return distances_of_keys(distance, order_keys(distance, queries, rows))


def squared_lengths(vectors: NDArray[Any]) -> Floats:
    """The squared Euclidean length of each row, by the same sums."""
    lengths = np.empty(len(vectors))
    step = max(1, CHUNK_VALUES // max(1, vectors.shape[1]))
    for start in range(0, len(vectors), step):
        x = np.ascontiguousarray(vectors[start : start + step], np.float64)
        lengths[start : start + step] = np.add.reduce(x * x, axis=-1)
    return lengths


def _l2(q: NDArray[Any], x: NDArray[Any]) -> Floats:
    difference = np.subtract(x, q, dtype=np.float64, order="C")
    return np.asarray(np.add.reduce(np.multiply(difference, difference, out=difference), axis=-1))


def _ip(q: NDArray[Any], x: NDArray[Any]) -> Floats:
    return np.asarray(-_dots(q, x))


def _cosine(q: NDArray[Any], x: NDArray[Any]) -> Floats:
    return cosine_keys(_dots(q, x), _dots(x, x), _dots(q, q))


def cosine_keys(dots: Floats, own: Floats, other: Floats) -> Floats:
    """One minus the cosine, from the products of two vectors with each other and of each with itself; NaN where one of
    them is zero."""
    # The root of the product, not the product of the roots: parallel vectors of whole numbers then come out at
    # exactly zero.
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        squares = own * other
        keys = 1.0 - dots / np.sqrt(squares)
        # Where that product leaves the range of float64, the roots are taken one by one.
        extreme = ~((squares > 1e-250) & (squares < 1e300))
        if extreme.any():
            keys = np.where(extreme, 1.0 - dots / np.sqrt(own) / np.sqrt(other), keys)
    return np.asarray(keys)


def _l1(q: NDArray[Any], x: NDArray[Any]) -> Floats:
    difference = np.subtract(x, q, dtype=np.float64, order="C")
    return np.asarray(np.add.reduce(np.abs(difference, out=difference), axis=-1))


def _dots(a: NDArray[Any], b: NDArray[Any]) -> Floats:
    """Products widened before they are multiplied; the array of them is new, and so contiguous."""
    return np.asarray(np.add.reduce(np.multiply(a, b, dtype=np.float64, order="C"), axis=-1))


_FORMULAS = {"l2": _l2, "ip": _ip, "cosine": _cosine, "l1": _l1}
