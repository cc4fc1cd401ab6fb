"""Small seeded vectors in clusters, and their neighbours by brute force in float64."""

from __future__ import annotations

from typing import Any

import numpy as np

ROWS = 3000
DIMENSIONS = 32
K = 10
_DRAW = np.random.default_rng(5)
_CENTRES = _DRAW.normal(size=(50, DIMENSIONS))


def drawn(count: int) -> Any:
    """Rows of float32 from the clusters; each call draws others."""
    near = _CENTRES[_DRAW.integers(0, len(_CENTRES), count)]
    return (near + 0.7 * _DRAW.normal(size=(count, DIMENSIONS))).astype(np.float32)


X = drawn(ROWS)
Q = drawn(40)


def distances(rows: Any, queries: Any, distance: str) -> Any:
    """Nearer is smaller, whatever the distance; shape (queries, rows)."""
    x, q = rows.astype(np.float64), queries.astype(np.float64)
    if distance == "l2":
        return ((q[:, None, :] - x[None, :, :]) ** 2).sum(2)
    if distance == "l1":
        return np.abs(q[:, None, :] - x[None, :, :]).sum(2)
    if distance == "hamming":
        return np.unpackbits(queries[:, None, :] ^ rows[None, :, :], axis=2).sum(2)
    product = -(q @ x.T)
    return product if distance == "ip" else product / np.linalg.norm(x, axis=1) / np.linalg.norm(q, axis=1)[:, None]


def nearest(rows: Any, queries: Any, distance: str, k: int = K) -> list[list[int]]:
    return [row.tolist() for row in np.argsort(distances(rows, queries, distance), axis=1, kind="stable")[:, :k]]


def asked(index: Any, queries: Any = Q, k: int = K) -> list[list[Any]]:
    """What the index answers, one by one."""
    prepared = index.prepare(queries)
    return [list(np.asarray(index.search(prepared[i : i + 1], k)).tolist()) for i in range(len(prepared))]


def recall(found: list[list[Any]], truth: list[list[int]]) -> float:
    hits = sum(len(set(a) & set(b)) for a, b in zip(found, truth, strict=True))
    return hits / sum(len(b) for b in truth)
