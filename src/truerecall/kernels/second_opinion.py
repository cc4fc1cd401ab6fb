"""Distances a second time, by other formulas than kernels/distances.py and sharing nothing with it.

    l2        Euclidean norm of the difference, by einsum
    ip        minus the product of matrix and vector, by BLAS
    cosine    half the squared length of the difference of the unit vectors, by einsum
    l1        largest first: the sum of the absolute differences, sorted
    hamming   bits that differ, looked up byte by byte

All in float64 on the vectors as stored. Each value comes with a *rounding*: how far from it a value may lie that some
other float64 summation of the same terms gives. With u = 2^-53 and d dimensions a sum of d products is off by at most
(d + 8) u times the sum of their absolute values, for either side; 4 (d + 8) u covers both with room.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

UNIT = 2.0**-53
TINY = 1e-150
"""Smaller differences than this drown in underflow."""

BITS_SET = np.array([byte.bit_count() for byte in range(256)], np.float64)


def prepared(distance: str, vectors: NDArray[Any]) -> NDArray[Any]:
    """The vectors as the formula takes them: widened, under cosine at length one; bits stay bytes."""
    if distance == "hamming":
        return vectors
    return unit(vectors) if distance == "cosine" else vectors.astype(np.float64)


def opinions(distance: str, q: NDArray[Any], x: NDArray[Any], *, exact: bool) -> tuple[Floats, Floats]:
    """The distance of each prepared row from one prepared query, and its rounding.

    ``exact``: both sides hold small whole numbers, whose sums round nothing (under cosine they still do).
    """
    values, scale = _FORMULAS[distance](q, x)
    if distance == "hamming" or (exact and distance != "cosine"):
        return values, np.zeros(len(x))
    # A sum of nothing but zeros is zero in every order.
    return values, np.where(scale > 0, 4 * (len(q) + 8) * UNIT * scale + TINY, 0.0)


def tie_bands(distance: str, cut: float, *, whole: bool) -> float:
    """The width of the tie band at a cut: 1e-6 absolute for cosine, none for whole numbers, else 1e-6 of the cut."""
    if distance == "cosine":
        return 1e-6
    return 0.0 if whole else 1e-6 * abs(cut)


def unit(vectors: NDArray[Any]) -> Floats:
    """The vectors at length one; a vector of zeros stays one."""
    wide = vectors.astype(np.float64)
    largest = np.abs(wide).max(axis=-1, keepdims=True)
    wide = wide / np.where(largest > 0, largest, 1.0)
    lengths = np.linalg.norm(wide, axis=-1, keepdims=True)
    return np.asarray(wide / np.where(lengths > 0, lengths, 1.0))


def _l2(q: Floats, x: Floats) -> tuple[Floats, Floats]:
    values = np.sqrt(_squares(x - q))
    return values, values


def _ip(q: Floats, x: Floats) -> tuple[Floats, Floats]:
    return np.asarray(-(x @ q)), np.asarray(np.abs(x) @ np.abs(q))


def _cosine(q: Floats, x: Floats) -> tuple[Floats, Floats]:
    return _squares(x - q) / 2, np.ones(len(x))


def _l1(q: Floats, x: Floats) -> tuple[Floats, Floats]:
    values = np.sort(np.abs(x - q), axis=1)[:, ::-1].sum(axis=1)
    return values, values


def _hamming(q: NDArray[Any], x: NDArray[Any]) -> tuple[Floats, Floats]:
    values = BITS_SET[np.bitwise_xor(x, q)].sum(axis=1)
    return values, values


def _squares(x: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", x, x))


_FORMULAS = {"l2": _l2, "ip": _ip, "cosine": _cosine, "l1": _l1, "hamming": _hamming}
