"""How a table of LanceDB is filled and indexed, and what it took over of what it was told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from truerecall.engines._attribute_tables import ARROW_TYPES, arrow_columns, demand_free_names
from truerecall.engines._casts import narrowed
from truerecall.engines._lancedb_library import index_kinds, lancedb
from truerecall.engines._lancedb_plan import counted, counted_at_most
from truerecall.engines._lancedb_table import ID, INDEX, PARTITIONS, TABLE, VECTOR, VectorTable, reason
from truerecall.engines._lancedb_words import KINDS, OWN_NAMES
from truerecall.errors import EngineFailed, InputError
from truerecall.model.arrays import Vectors
from truerecall.model.attributes import Attributes, Column
from truerecall.model.engine import Settings, Value
from truerecall.model.source import CorpusSource

BLOCK_ROWS = 8192


def filled(
    folder: Path, source: CorpusSource, distance: str, settings: Settings, attributes: Attributes | None
) -> VectorTable:
    """A new table with all rows in it, each under its number and with its attributes, and its index.

    Raises EngineFailed where the index is another than was asked for, InputError where LanceDB refuses to make it.
    """
    dtype = stored_type(source)
    vectors = pa.list_(pa.from_numpy_dtype(dtype), source.dimensions)
    columns = demand_free_names(attributes)
    own = [(name, pa.type_for_alias(ARROW_TYPES[column.kind])) for name, column in columns.items()]
    schema = pa.schema([(ID, pa.int64()), (VECTOR, vectors), *own])
    data = _batches(source, columns, schema, dtype)
    table = lancedb.connect(str(folder)).create_table(TABLE, data=data, schema=schema)
    kind = str(settings["index_type"])
    # Zero stands for what is left to LanceDB.
    told = {name: value for name, value in settings.items() if name != "index_type" and value != 0}
    config = getattr(index_kinds, KINDS[kind])(distance_type=OWN_NAMES[distance], **told)
    try:
        table.create_index(VECTOR, config=config, name=INDEX)
    except (ValueError, RuntimeError) as error:
        problem = (
            f"LanceDB cannot make {kind} over {source.rows} rows of {source.dimensions} dimensions: {reason(error)}"
        )
        raise InputError(problem, "choose other settings, or give more rows") from None
    made = VectorTable(table, ID, VECTOR)
    _compare(made, kind, distance, told)
    return made


def batch(ids: Any, vectors: Vectors, schema: pa.Schema, own: Iterable[Any] = ()) -> pa.RecordBatch:
    """Rows as LanceDB takes them. The vectors are copied: a block may be overwritten before they are written."""
    flat = pa.array(np.array(vectors).reshape(-1))
    return pa.RecordBatch.from_arrays(
        [pa.array(ids, pa.int64()), pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]), *own], schema=schema
    )


def stored_type(source: CorpusSource) -> np.dtype[Any]:
    """Bits and half precision stay as they are; all else is float32, in which LanceDB asks."""
    if source.bits is not None:
        return np.dtype(np.uint8)
    return np.dtype(np.float16 if source.dtype == np.float16 else np.float32)


def as_stored(vectors: Vectors, dtype: np.dtype[Any]) -> Vectors:
    return vectors if dtype == np.uint8 else narrowed(vectors, dtype)


def _batches(
    source: CorpusSource, columns: Mapping[str, Column], schema: pa.Schema, dtype: np.dtype[Any]
) -> Iterator[pa.RecordBatch]:
    for start, block in source.blocks(BLOCK_ROWS):
        stop = start + len(block)
        own = arrow_columns(columns, start, stop).values()
        yield batch(np.arange(start, stop), as_stored(block, dtype), schema, own)


def _compare(made: VectorTable, kind: str, distance: str, told: dict[str, Value]) -> None:
    found = made.index()
    if found is None:
        raise EngineFailed(f"LanceDB made no index where {kind} was asked for", "choose other settings")
    index, reach = found
    details = index.index_details
    graph, codes = details.get("hnsw", {}), details.get("compression", {})
    held = {
        "index_type": reach.index_type,
        "distance_type": reach.distance_type,
        "m": graph.get("max_connections"),
        "ef_construction": graph.get("construction_ef"),
        "num_sub_vectors": codes.get("num_sub_vectors"),
        "num_bits": codes.get("num_bits"),
    }
    for name, value in {"index_type": kind, "distance_type": OWN_NAMES[distance], **told}.items():
        if held.get(name) not in (None, value):
            raise EngineFailed(f"{name} is {held[name]} and {value} was asked for", "leave it to LanceDB")
    wanted = int(told.get("num_partitions", 0))
    plan = made.partitions_plan() if wanted and reach.num_indexed_rows else ""
    there, rounded = counted(plan, PARTITIONS), counted_at_most(plan, PARTITIONS)
    if plan and abs(wanted - there) > rounded - there:
        problem = f"num_partitions is {there} and {wanted} was asked for"
        raise EngineFailed(problem, "ask for no more, or give more rows: product codes want 256 in each")
