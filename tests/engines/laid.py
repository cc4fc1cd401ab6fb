"""Rows of others under ids of theirs, laid out for each engine that attaches to them or streams them.

For every distance that the laws of ids are tried under: the first of the engine. Each row says in ``n`` where among
them it stands.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerecall.model.arrays import Vectors
from truerecall.testing.subject import LayOut

Ids = Sequence[int | str]


def way_to_lay_out(engine: str, folder: Path, patch: pytest.MonkeyPatch) -> LayOut | None:
    """How it is done for an engine; None where none is known. ``patch``: what it sets holds as long as that."""
    way = WAYS.get(engine)
    return (
        None
        if way is None
        else lambda ids, rows, distance: way(folder / f"theirs-{uuid.uuid4().hex}", patch, ids, rows)
    )


def _kind(ids: Ids) -> str:
    if isinstance(ids[0], int):
        return "number"
    try:
        uuid.UUID(ids[0])
    except ValueError:
        return "text"
    return "uuid"


def _duckdb(place: Path, patch: pytest.MonkeyPatch, ids: Ids, rows: Vectors) -> str:
    from truerecall.engines._duckdb_database import opened

    kind = {"number": "BIGINT", "text": "VARCHAR", "uuid": "UUID"}[_kind(ids)]
    connection = opened(place, threads=1, read_only=False)
    connection.execute(f"CREATE TABLE theirs (key {kind}, n BIGINT, v FLOAT[{rows.shape[1]}])")
    numbered = zip(ids, range(len(ids)), rows.tolist(), strict=True)
    connection.executemany("INSERT INTO theirs VALUES (?, ?, ?)", [list(own) for own in numbered])
    connection.execute("CREATE INDEX their_index ON theirs USING HNSW (v)")
    connection.close()
    return f"{place}?table=theirs&id=key&vector=v"


def _lancedb(place: Path, patch: pytest.MonkeyPatch, ids: Ids, rows: Vectors) -> str:
    import pyarrow as pa

    from truerecall.engines._lancedb_library import index_kinds, lancedb

    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), rows.shape[1])
    columns = {"key": pa.array(list(ids)), "n": pa.array(range(len(ids))), "v": vectors}
    table = lancedb.connect(str(place)).create_table("t", pa.table(columns))
    table.create_index("v", config=index_kinds.IvfFlat(distance_type="l2", num_partitions=2))
    return f"{place / 't.lance'}?id=key&vector=v"


def _milvus(place: Path, patch: pytest.MonkeyPatch, ids: Ids, rows: Vectors) -> str:
    from truerecall.engines._milvus_client import Address, connected, let_go, pymilvus

    file = place.with_suffix(".db")
    client, types = connected(Address(str(file))), pymilvus().DataType
    schema = client.create_schema(auto_id=False)
    key: dict[str, Any] = (
        {"datatype": types.INT64} if _kind(ids) == "number" else {"datatype": types.VARCHAR, "max_length": 64}
    )
    schema.add_field("key", is_primary=True, **key)
    schema.add_field("n", types.INT64)
    schema.add_field("v", types.FLOAT_VECTOR, dim=rows.shape[1])
    client.create_collection("theirs", schema=schema)
    client.insert("theirs", [{"key": ids[n], "n": n, "v": row} for n, row in enumerate(rows)])
    client.flush("theirs")
    wanted = client.prepare_index_params()
    wanted.add_index("v", index_type="HNSW", metric_type="L2", params={"params": {"M": 8}})
    client.create_index("theirs", wanted)
    client.load_collection("theirs")
    let_go(client, Address(str(file)).file)
    patch.setenv("MILVUS_URI", str(file))
    return "theirs?vector=v"


def _pgvector(place: Path, patch: pytest.MonkeyPatch, ids: Ids, rows: Vectors) -> str:
    import psycopg

    kind = {"number": "bigint", "text": "text", "uuid": "uuid"}[_kind(ids)]
    with psycopg.connect(autocommit=True) as connection:
        connection.execute(f'CREATE TABLE "{place.name}" (key {kind} PRIMARY KEY, n bigint, v vector({rows.shape[1]}))')
        with connection.cursor().copy(f'COPY "{place.name}" FROM STDIN') as copy:
            for n, row in enumerate(rows.tolist()):
                copy.write_row((ids[n], n, str(row)))
        connection.execute(f'CREATE INDEX ON "{place.name}" USING hnsw (v vector_l2_ops)')
        connection.execute(f'ANALYZE "{place.name}"')
    return f"{place.name}?id=key&vector=v"


def _qdrant(place: Path, patch: pytest.MonkeyPatch, ids: Ids, rows: Vectors) -> str | None:
    from qdrant_client import QdrantClient, models

    if _kind(ids) == "text":
        return None
    client = QdrantClient(url=os.environ["QDRANT_URL"], check_compatibility=False)
    vectors = models.VectorParams(size=rows.shape[1], distance=models.Distance.EUCLID)
    client.create_collection(place.name, vectors, hnsw_config=models.HnswConfigDiff(full_scan_threshold=10))
    payloads = [{"n": n} for n in range(len(ids))]
    points = models.Batch(ids=list(ids), vectors=rows.tolist(), payloads=payloads)
    client.upsert(place.name, points, wait=True)
    client.close()
    return place.name


def _qdrant_edge(place: Path, patch: pytest.MonkeyPatch, ids: Ids, rows: Vectors) -> str | None:
    from tests.engines.test_qdrant_edge import shard_of

    return None if _kind(ids) == "text" else str(shard_of(place, ids, rows))


def _sqlite_vec(place: Path, patch: pytest.MonkeyPatch, ids: Ids, rows: Vectors) -> str:
    from truerecall.engines._sqlite_vec_table import opened

    kind = "integer" if _kind(ids) == "number" else "text"
    connection = opened(place)
    connection.execute(
        f"create virtual table theirs using vec0(key {kind} primary key, n integer, v float[{rows.shape[1]}])"
    )
    for n, row in enumerate(rows):
        values = (ids[n], n, np.ascontiguousarray(row).tobytes())
        connection.execute("insert into theirs(key, n, v) values (?, ?, ?)", values)
    connection.close()
    return f"{place}?table=theirs"


WAYS: dict[str, Callable[[Path, pytest.MonkeyPatch, Ids, Vectors], str | None]] = {
    "duckdb": _duckdb,
    "lancedb": _lancedb,
    "milvus": _milvus,
    "pgvector": _pgvector,
    "qdrant": _qdrant,
    "qdrant_edge": _qdrant_edge,
    "sqlite_vec": _sqlite_vec,
}
