"""DuckDB with its vector search extension (VSS), in this process: a table with an HNSW index in a database file.

The planner decides whether a query goes through the index, and the state says what it decided. DuckDB keeps float32 and
computes cosine itself. Its answers to l2 are unsquared and to ip negated; neither is passed on. A condition on rows is
applied to what the index found, so that few rows are left of them. DuckDB and the extension have to be of one version.

State
    Rows that have a vector, beside the entries of the graph as ``pragma_hnsw_index_info`` counts them. Whether the
    graph was used is read from EXPLAIN of the very query that was asked last, and the steps of that plan are told.

Costs
    It counts nothing.

Attached
    ``--attach "FILE?table=TABLE&id=COLUMN&vector=COLUMN"``, opened read-only. ``table`` and ``vector`` may be left out
    where one index is there, ``id`` where the column is called so; it holds whole numbers, texts or UUIDs, and
    answers come by it.

Traps
    - WHERE is applied to what the index found: behind a filter of 10 % about one of ten rows comes.
      ``short-answers`` says so, and ``--filter`` or ``--selectivity`` shows it.
    - The index serves its own distance alone. For another the planner scans all rows, and says so in its plan:
      ``index-not-used``.
    - ``hnsw_ef_search`` of 0 or less is taken and means what the index was made with: it is refused here.
    - Entries of deleted rows stay in the index, and answers grow short.
    - More searches at once than the database has threads end the process: here they wait for each other.
    - The extension must be of DuckDB's own version, to the last number.

Example
    --engine duckdb --set M=16 --vary hnsw_ef_search=16,64,256 --distance l2
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.engines._address import parsed
from truerecall.engines._attribute_tables import arrow_columns, demand_free_names
from truerecall.engines._base import BareEngine, demand_shape
from truerecall.engines._casts import as_float32, block_rows
from truerecall.engines._duckdb_database import MEASURES, Table, first_line, library, opened, table_in
from truerecall.engines._duckdb_index import DuckdbIndex
from truerecall.engines._filter_sql import quoted_name, sql_of
from truerecall.engines._folders import fresh_file
from truerecall.engines._library import installed
from truerecall.engines._touched import identity_of_files
from truerecall.errors import EngineFailed, InputError
from truerecall.model.attributes import Attributes, Column
from truerecall.model.engine import Capability, Place, Setting, Settings
from truerecall.model.filter import Filter
from truerecall.model.settings import checked_settings
from truerecall.model.source import CorpusSource

LARGEST = 2**31 - 1
TYPES = {"integers": "BIGINT", "floats": "DOUBLE", "booleans": "BOOLEAN", "texts": "VARCHAR"}
FILE = "index.duckdb"
BUILD_SETTINGS = (
    Setting("M", int, "links of a row in each layer of the graph, and twice as many in the lowest", 16, 2, 10_000),
    Setting("ef_construction", int, "candidates kept while the graph is built", 128, 1, LARGEST),
)
# It takes 0 and less, and then goes by what the index was made with.
SEARCH_SETTINGS = (Setting("hnsw_ef_search", int, "candidates kept in the graph of a search", 64, 1, LARGEST, True),)


class DuckdbEngine(BareEngine):
    """Builds HNSW indexes in DuckDB, and attaches to those in a database file: ``FILE?table=T&id=ID&vector=COLUMN``."""

    name = "duckdb"
    extra = "duckdb"
    tested_with = "1.5.5"
    capabilities: frozenset[Capability] = frozenset({"build", "attach", "save", "exact", "filter", "delete", "update"})
    build_settings = BUILD_SETTINGS
    distances: Mapping[str, str] = {
        "l2": "l2sq, array_distance",
        "ip": "ip, array_negative_inner_product",
        "cosine": "cosine, array_cosine_distance",
    }

    def version(self) -> str | None:
        return installed("duckdb") if installed("duckdb-extension-vss") else None

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        self.demand_distance(distance)
        checked_settings(build, BUILD_SETTINGS)
        return SEARCH_SETTINGS

    def demand_filter(self, where: Filter) -> None:
        sql_of(where)

    def build(
        self,
        source: CorpusSource,
        distance: str,
        settings: Settings,
        *,
        seed: int,
        threads: int,
        place: Place,
        attributes: Attributes | None = None,
    ) -> DuckdbIndex:
        """Rows go in first and are indexed at once. The graph takes no seed; on one thread rows decide."""
        self.demand_distance(distance)
        full = {setting.name: setting.default for setting in BUILD_SETTINGS} | checked_settings(
            settings, BUILD_SETTINGS
        )
        columns = demand_free_names(attributes)
        path = fresh_file(place, FILE)
        connection = opened(path, threads=threads, read_only=False)
        try:
            connection.execute(_definition(source, columns))
            _fill(connection, source, columns)
            options = ", ".join(f"{name} = {value}" for name, value in full.items())
            index = "CREATE INDEX neighbours ON vectors USING HNSW (vector)"
            connection.execute(f"{index} WITH (metric = '{MEASURES[distance]}', {options})")
            connection.execute("CHECKPOINT")
        except library().Error as error:
            connection.close()
            raise EngineFailed(f"DuckDB cannot build the index: {first_line(error)}", "see what it says") from None
        return _index(connection, source, distance, threads, path)

    def load(
        self,
        path: Path,
        source: CorpusSource,
        distance: str,
        settings: Settings,
        *,
        threads: int,
        place: Place,
        attributes: Attributes | None = None,
    ) -> DuckdbIndex:
        checked_settings(settings, BUILD_SETTINGS)
        own = fresh_file(place, FILE)
        shutil.copyfile(path, own)
        index = _index(opened(own, threads=threads, read_only=False), source, distance, threads, own)
        try:
            demand_shape(path, index.state().rows, index.table.dimensions, source)
        except InputError:
            index.close()
            raise
        return index

    def attach(self, name: str, distance: str, *, place: Place) -> DuckdbIndex:
        self.demand_distance(distance)
        file, options = parsed(name, ("table", "id", "vector"))
        connection = opened(Path(file), threads=1, read_only=True)
        try:
            table = table_in(connection, options.get("table"), options.get("id"), options.get("vector"), distance)
        except InputError:
            connection.close()
            raise
        index = DuckdbIndex(connection, table, distance, np.dtype(np.float32), SEARCH_SETTINGS, 1, None, answers="ids")
        index.identity = identity_of_files(Path(file), Path(f"{file}.wal"))
        index.configure({})
        return index


def _index(connection: Any, source: CorpusSource, distance: str, threads: int, path: Path) -> DuckdbIndex:
    table: Table = table_in(connection, "vectors", "id", "vector", distance)
    index = DuckdbIndex(connection, table, distance, source.dtype, SEARCH_SETTINGS, threads, path)
    index.configure({})
    return index


def _definition(source: CorpusSource, columns: Mapping[str, Column]) -> str:
    own = "".join(f", {quoted_name(name)} {TYPES[column.kind]}" for name, column in columns.items())
    return f"CREATE TABLE vectors (id BIGINT, vector FLOAT[{source.dimensions}]{own})"


def _fill(connection: Any, source: CorpusSource, columns: Mapping[str, Column]) -> None:
    import pyarrow as pa

    for start, block in source.blocks(block_rows(source)):
        rows = pa.array(as_float32(block, unit_length=False).ravel())
        vectors = pa.FixedSizeListArray.from_arrays(rows, source.dimensions)
        ids = pa.array(np.arange(start, start + len(block)))
        named = {"id": ids, "vector": vectors, **arrow_columns(columns, start, start + len(block))}
        connection.register("block", pa.table(named))
        connection.execute("INSERT INTO vectors SELECT * FROM block")
        connection.unregister("block")


engine = DuckdbEngine()
