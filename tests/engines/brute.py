"""What the tests of engines share: small seeded vectors in clusters, the nearest rows by direct formulas, answers, and
shares of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.model.engine import Index

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
    """In float64, nearer is smaller whatever the distance; shape (queries, rows)."""
    x, q = np.asarray(rows, np.float64), np.asarray(queries, np.float64)
    if distance == "l2":
        return ((q[:, None] - x[None]) ** 2).sum(2)
    if distance == "l1":
        return np.abs(q[:, None] - x[None]).sum(2)
    if distance == "hamming":
        return np.unpackbits(np.asarray(rows)[None] ^ np.asarray(queries)[:, None], axis=2).sum(2)
    product = -(q @ x.T)
    return product if distance == "ip" else product / np.linalg.norm(x, axis=1) / np.linalg.norm(q, axis=1)[:, None]


def nearest(rows: Any, queries: Any, distance: str, k: int = K) -> list[list[int]]:
    """The rows nearest to each query, ties by row."""
    return [row.tolist() for row in np.argsort(distances(rows, queries, distance), axis=1, kind="stable")[:, :k]]


def answers(index: Index, queries: Any = Q, k: int = K) -> list[list[Any]]:
    prepared = index.prepare(queries)
    return [list(index.search(prepared[i : i + 1], k)) for i in range(len(prepared))]


def exact_answers(index: Index, queries: Any = Q, k: int = K) -> list[list[Any]]:
    prepared = index.prepare(queries)
    return [list(index.exact(prepared[i : i + 1], k)) for i in range(len(prepared))]


def share(found: Sequence[Sequence[Any]], truth: Sequence[Sequence[Any]]) -> float:
    hits = sum(len(set(a) & set(b)) for a, b in zip(found, truth, strict=True))
    return hits / sum(len(b) for b in truth)


def digests(folder: Path) -> dict[str, tuple[str, int]]:
    """The content and the time of every file in a folder."""
    return {
        str(file.relative_to(folder)): (hashlib.sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns)
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
