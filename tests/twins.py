"""Slow, plain twins of what the kernels do, sharing no code with them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray


def brute_force(
    distance: str, vectors: NDArray[Any], queries: NDArray[Any], k: int, ids: list[Any] | None = None
) -> tuple[list[list[Any]], NDArray[np.float64]]:
    """Ids and distances of the k nearest rows of each query, in float64, ties by the smaller id."""
    x, q = vectors.astype(np.float64), queries.astype(np.float64)
    names = list(range(len(x))) if ids is None else ids
    lists, values = [], []
    for query in q:
        if distance == "l2":
            keys = ((x - query) ** 2).sum(axis=1)
        elif distance == "l1":
            keys = np.abs(x - query).sum(axis=1)
        elif distance == "ip":
            keys = -(x * query).sum(axis=1)
        else:
            # Scaled by powers of two, which changes no cosine and rounds nothing.
            u, v = x * 2.0 ** -scale(x)[:, None], query * 2.0 ** -scale(query)
            keys = 1 - (u * v).sum(axis=1) / np.sqrt((u * u).sum(axis=1) * (v * v).sum())
        order = sorted(range(len(x)), key=lambda row, keys=keys: (keys[row], names[row]))[:k]  # type: ignore[misc]
        lists.append([names[row] for row in order])
        values.append(np.sqrt(keys[order]) if distance == "l2" else keys[order])
    return lists, np.array(values)


def scale(vectors: NDArray[Any]) -> NDArray[np.float64]:
    """The binary exponent of the largest value of each vector."""
    return np.asarray(np.floor(np.log2(np.abs(vectors).max(axis=-1))))


def exact_squared_distance(x: NDArray[Any], q: NDArray[Any]) -> Fraction:
    """The squared Euclidean distance in rational arithmetic: no rounding at all."""
    return sum(((Fraction(float(a)) - Fraction(float(b))) ** 2 for a, b in zip(x, q, strict=True)), Fraction(0))


def exact_dot(x: NDArray[Any], q: NDArray[Any]) -> Fraction:
    """The dot product in rational arithmetic."""
    return sum((Fraction(float(a)) * Fraction(float(b)) for a, b in zip(x, q, strict=True)), Fraction(0))
