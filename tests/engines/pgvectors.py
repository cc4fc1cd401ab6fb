"""What the tests of pgvector share: small seeded vectors, brute force, and tables of others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from psycopg import sql

from truerecall.engines.pgvector import engine
from truerecall.kernels.distances import order_keys
from truerecall.model.engine import Index, Place
from truerecall.model.source import ArraySource

DIMENSIONS = 64
ROWS = 4000
K = 10
X = np.random.default_rng(1).normal(size=(ROWS, DIMENSIONS)).astype(np.float32)
Q = np.random.default_rng(2).normal(size=(20, DIMENSIONS)).astype(np.float32)
QUICK = {"m": 8, "ef_construction": 32}
NOWHERE = Place(Path("nowhere"))


def built(distance: str = "l2", rows: Any = X, bits: int | None = None, threads: int = 1, **settings: Any) -> Any:
    source = ArraySource(rows, bits=bits)
    if settings.get("index") != "ivfflat":
        settings = {**QUICK, **settings}
    return engine.build(source, distance, settings, seed=0, threads=threads, place=NOWHERE)


def asked(index: Index, queries: Any = Q, k: int = K) -> list[list[Any]]:
    prepared = index.prepare(queries)
    return [list(index.search(prepared[i : i + 1], k)) for i in range(len(prepared))]


def nearest(rows: Any, queries: Any, distance: str, k: int = K) -> list[list[int]]:
    keys = [order_keys(distance, query, rows) for query in queries]
    return [np.argsort(own, kind="stable")[:k].tolist() for own in keys]


def hits(found: Sequence[Sequence[Any]], truth: Sequence[Sequence[Any]]) -> float:
    return sum(len(set(a) & set(b)) for a, b in zip(found, truth, strict=True)) / sum(len(own) for own in truth)


def filled(
    connection: psycopg.Connection[Any],
    rows: Any = X,
    *,
    ids: Sequence[Any] | None = None,
    id_type: str = "bigint",
    vector_type: str = f"vector({DIMENSIONS})",
    index: str | None = "hnsw (v vector_l2_ops)",
) -> None:
    """A table ``items`` with the columns ``id`` and ``v``, as any application may have one."""
    connection.execute(f"CREATE TABLE items (id {id_type} PRIMARY KEY, v {vector_type})")
    with connection.cursor().copy("COPY items FROM STDIN") as copy:
        for own, row in zip(range(len(rows)) if ids is None else ids, rows, strict=True):
            copy.write_row((own, None if row is None else "[" + ",".join(str(float(value)) for value in row) + "]"))
    if index is not None:
        connection.execute(sql.SQL(f"CREATE INDEX items_v ON items USING {index}"))
    connection.execute("ANALYZE items")


def attached(distance: str = "l2", name: str = "items?id=id&vector=v", place: Place = NOWHERE) -> Any:
    return engine.attach(name, distance, place=place)
