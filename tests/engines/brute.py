"""What the tests of engines share: the nearest rows by direct formulas, answers, and shares of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.model.engine import Index


def nearest(rows: Any, queries: Any, distance: str, k: int = 10) -> list[list[int]]:
    """The rows nearest to each query in float64, ties by row."""
    x, q = np.asarray(rows, np.float64), np.asarray(queries, np.float64)
    if distance == "l2":
        values = ((q[:, None] - x[None]) ** 2).sum(2)
    elif distance == "l1":
        values = np.abs(q[:, None] - x[None]).sum(2)
    elif distance == "hamming":
        bits = np.unpackbits(np.asarray(rows)[None] ^ np.asarray(queries)[:, None], axis=2)
        values = bits.sum(2).astype(np.float64)
    else:
        values = -(q @ x.T) / (np.linalg.norm(x, axis=1) if distance == "cosine" else 1.0)
    return [row.tolist() for row in np.argsort(values, axis=1, kind="stable")[:, :k]]


def answers(index: Index, queries: Any, k: int = 10) -> list[list[Any]]:
    prepared = index.prepare(queries)
    return [list(index.search(prepared[i : i + 1], k)) for i in range(len(prepared))]


def exact_answers(index: Index, queries: Any, k: int = 10) -> list[list[Any]]:
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
