"""True distances of pairs: float64, from the direct formulas, summed in a fixed order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

PAIRS_AT_ONCE = 4096


def pair_distances(name: str, queries: NDArray[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
    """The distance of each pair (queries[i], rows[i]): unsquared l2, minus the dot product, or one minus the cosine.

    Shapes (p, d) and (p, d) -> (p,). A cosine with a zero vector is NaN.
    """
    distances = np.empty(len(queries), np.float64)
    for start in range(0, len(queries), PAIRS_AT_ONCE):
        part = slice(start, start + PAIRS_AT_ONCE)
        distances[part] = _pairs(name, queries[part].astype(np.float64), rows[part].astype(np.float64))
    return distances


def _pairs(name: str, q: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    if name == "l2":
        return np.asarray(np.sqrt(_sums((x - q) ** 2)))
    dots = _sums(x * q)
    if name == "ip":
        return -dots
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(1.0 - dots / (np.sqrt(_sums(x * x)) * np.sqrt(_sums(q * q))))


def _sums(terms: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.add.reduce(np.ascontiguousarray(terms), axis=-1))
