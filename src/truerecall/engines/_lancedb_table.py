"""Tables of LanceDB: made and filled, opened for reading, and their columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from truerecall.engines._lancedb_library import index_kinds, lancedb
from truerecall.engines._lancedb_plan import counted, counted_at_most
from truerecall.engines._lancedb_words import KINDS, LARGEST, OWN_NAMES
from truerecall.engines._narrow import narrowed
from truerecall.engines._place_name import split_name
from truerecall.errors import EngineFailed, InputError
from truerecall.model.arrays import Vectors
from truerecall.model.engine import Settings, Value
from truerecall.model.source import CorpusSource

TABLE, ID, VECTOR, INDEX, DISTANCE = "vectors", "id", "vector", "vector_index", "_distance"
PARTITIONS = "partitions_ranked"
BLOCK_ROWS = 8192


@dataclass(frozen=True, eq=False)
class VectorTable:
    """A table that is open, and which of its columns are meant. Opened for reading it stays at one version."""

    table: Any
    id: str
    vector: str

    @property
    def dimensions(self) -> int:
        return int(self.table.schema.field(self.vector).type.list_size)

    @property
    def dtype(self) -> np.dtype[Any]:
        element: np.dtype[Any] = np.dtype(self.table.schema.field(self.vector).type.value_type.to_pandas_dtype())
        return element

    def index(self) -> tuple[Any, Any] | None:
        """What LanceDB says of the index of the vectors and of its reach; None where they have none."""
        for index in self.table.list_indices():
            if index.columns == [self.vector]:
                return index, self.table.index_stats(index.name)
        return None

    def query(self, vector: Any, distance: str, k: int) -> Any:
        """A search by LanceDB's own word for a distance, for ids alone."""
        asked = self.table.search(vector, vector_column_name=self.vector, query_type="vector")
        return asked.distance_type(distance).select([self.id, DISTANCE]).limit(k)

    def some_vector(self) -> Vectors:
        """One that has a direction: plans do not depend on its values."""
        return np.ones(self.dimensions, self.dtype)

    def partitions_plan(self) -> str:
        """The analysed plan of a search through all partitions of the index."""
        found = self.index()
        if found is None:
            return ""
        asked = self.query(self.some_vector(), found[1].distance_type, 1)
        return str(asked.nprobes(LARGEST).analyze_plan())


def opened(folder: Path, name: str = TABLE) -> Any:
    try:
        return lancedb.connect(str(folder)).open_table(name)
    except Exception as error:  # the binding raises ValueError, RuntimeError and others for the same
        raise EngineFailed(f"LanceDB cannot open {name} in {folder}: {error}", "see whether it is whole") from None


def opened_for_reading(name: str) -> VectorTable:
    """The table ``FOLDER/TABLE.lance?id=ID&vector=COLUMN`` as it stands now, whatever is written to it later."""
    place, said = split_name(name, ("id", "vector"))
    folder = Path(place)
    if folder.suffix != ".lance" or not folder.is_dir():  # LanceDB would make a folder that is missing
        raise InputError(f"{place} is no table of LanceDB", "name its folder, as FOLDER/TABLE.lance")
    table = opened(folder.parent, folder.stem)
    table.checkout(table.version)
    columns = {field.name: field.type for field in table.schema}
    vectors = [name for name, kind in columns.items() if pa.types.is_fixed_size_list(kind)]
    vector = said.get("vector", vectors[0] if len(vectors) == 1 else "")
    if vector not in vectors:
        raise InputError(f"{place} has no column of vectors {vector!r}", _one_of("vector", vectors))
    own = said.get("id", ID)
    naming = [name for name, kind in columns.items() if _names_rows(kind)]
    if own not in naming:
        raise InputError(f"{place} has no column of ids {own!r}", _one_of("id", naming))
    return VectorTable(table, own, vector)


def filled(folder: Path, source: CorpusSource, distance: str, settings: Settings) -> VectorTable:
    """A new table with all rows in it, each under its number, and its index. Raises EngineFailed where the index is
    another than was asked for, InputError where LanceDB refuses to make it."""
    dtype = stored_type(source)
    vectors = pa.list_(pa.from_numpy_dtype(dtype), source.dimensions)
    schema = pa.schema([(ID, pa.int64()), (VECTOR, vectors)])
    table = lancedb.connect(str(folder)).create_table(TABLE, data=_batches(source, schema, dtype), schema=schema)
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


def batch(ids: Any, vectors: Vectors, schema: pa.Schema) -> pa.RecordBatch:
    """Rows as LanceDB takes them. The vectors are copied: a block may be overwritten before they are written."""
    flat = pa.array(np.array(vectors).reshape(-1))
    return pa.RecordBatch.from_arrays(
        [pa.array(ids, pa.int64()), pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])], schema=schema
    )


def stored_type(source: CorpusSource) -> np.dtype[Any]:
    """Bits and half precision stay as they are; all else is float32, in which LanceDB asks."""
    if source.bits is not None:
        return np.dtype(np.uint8)
    return np.dtype(np.float16 if source.dtype == np.float16 else np.float32)


def as_stored(vectors: Vectors, dtype: np.dtype[Any]) -> Vectors:
    return vectors if dtype == np.uint8 else narrowed(vectors, dtype)


def reason(error: Exception) -> str:
    """LanceDB's own words without the place in its source."""
    return str(error).split(", /")[0].removeprefix("lance error: ").strip()


def _batches(source: CorpusSource, schema: pa.Schema, dtype: np.dtype[Any]) -> Iterator[pa.RecordBatch]:
    for start, block in source.blocks(BLOCK_ROWS):
        yield batch(np.arange(start, start + len(block)), as_stored(block, dtype), schema)


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


def _names_rows(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _one_of(part: str, names: list[str]) -> str:
    return f"name one as ?{part}=COLUMN; there are: {', '.join(names) or 'none'}"
