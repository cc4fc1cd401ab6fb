"""A DuckDB database with its vector search extension, and what its tables say of themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from truerecall.engines._filter_sql import quoted_name, sql_of
from truerecall.engines._library import imported
from truerecall.errors import EngineFailed, InputError, MissingExtra
from truerecall.model.filter import Filter

FUNCTIONS = {
    "l2": "array_distance",
    "ip": "array_negative_inner_product",
    "cosine": "array_cosine_distance",
}
MEASURES = {"l2": "l2sq", "ip": "ip", "cosine": "cosine"}
NO_DATABASE = ("not a valid DuckDB database", "Could not read enough bytes")
INDEX_SCAN = "HNSW_INDEX_SCAN"


@dataclass(frozen=True)
class Table:
    """A table with an HNSW index over one of its columns. ``id_type`` as DuckDB spells it."""

    name: str
    id: str
    vector: str
    dimensions: int
    index: str
    id_type: str = "BIGINT"

    def nearest(self, distance: str, where: Filter | None = None, *, past_the_index: bool = False) -> str:
        """The statement that asks for a query's neighbours: the query, then how many.

        An index serves its own expression alone: nothing added to it is another one.
        """
        id_ = quoted_name(self.id) if self.id_type != "UUID" else f"{quoted_name(self.id)}::VARCHAR"
        asked = f"{FUNCTIONS[distance]}({quoted_name(self.vector)}, ?::FLOAT[{self.dimensions}])"
        order = f"{asked} + 0" if past_the_index else asked
        narrowed = "" if where is None else f" WHERE {sql_of(where)}"
        return f"SELECT {id_} FROM {quoted_name(self.name)}{narrowed} ORDER BY {order} LIMIT ?"


def opened(path: Path, *, threads: int, read_only: bool) -> Any:
    """A connection to a database file, with the extension loaded. Raises InputError or EngineFailed."""
    duckdb = library()
    config = {"threads": threads, "autoinstall_known_extensions": False, "autoload_known_extensions": False}
    try:
        connection = duckdb.connect(str(path), read_only=read_only, config=config)
    except duckdb.IOException as error:
        said = str(error).removeprefix("IO Error: ").splitlines()[0]
        if any(words in said for words in NO_DATABASE) or not path.exists():
            raise InputError(f"{path} is no DuckDB database: {said}", "name a database file") from None
        raise EngineFailed(f"DuckDB cannot open {path}: {said}", "close it elsewhere, then try again") from None
    connection.execute("LOAD '{}'".format(str(_extension()).replace("'", "''")))
    connection.execute("SET hnsw_enable_experimental_persistence = true")
    return connection


def table_in(connection: Any, name: str | None, id_: str | None, vector: str | None, distance: str) -> Table:
    """The table with an index that serves ``distance``, as far as it is named. Raises InputError."""
    listed = connection.execute(
        "SELECT h.table_name, h.index_name, h.metric, h.dimensions, trim(i.expressions, '[]\"') "
        "FROM pragma_hnsw_index_info() h JOIN duckdb_indexes() i USING (index_name, table_name)"
    ).fetchall()
    fitting = [row for row in listed if name in (None, row[0]) and vector in (None, row[4])]
    if len(fitting) != 1:
        there = ", ".join(f"{row[0]}.{row[4]}" for row in listed) or "none"
        raise InputError(f"{len(fitting)} HNSW indexes fit this name; there are: {there}", "name table and vector")
    [(table, index, measure, dimensions, column)] = fitting
    if measure != MEASURES[distance]:
        raise InputError(f"the index {index} is made for {measure}, not {MEASURES[distance]}", "ask for its distance")
    columns = dict(
        connection.execute(
            "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ?", [table]
        ).fetchall()
    )
    id_ = id_ or "id"
    if id_ not in columns:
        raise InputError(f"{table} has no column {id_}", f"write id=..., one of {', '.join(columns)}")
    if not columns[id_].endswith(("INT", "INTEGER", "VARCHAR", "UUID")) or columns[id_].endswith("HUGEINT"):
        raise InputError(f"{table}.{id_} is of type {columns[id_]}", "name a column of whole numbers or strings")
    return Table(table, id_, column, dimensions, index, columns[id_])


def operators(connection: Any, statement: str, parameters: list[Any]) -> list[str]:
    """What the planner makes of a statement, from the top down; an index scan with the name of its index."""
    [(_, plan)] = connection.execute(f"EXPLAIN (FORMAT JSON) {statement}", parameters).fetchall()
    return list(_walk(json.loads(plan)))


def library() -> Any:
    """DuckDB. Raises MissingExtra."""
    return imported("duckdb", package="duckdb", extra="duckdb")


def _extension() -> Path:
    """The file of the extension, which has to be of DuckDB's own version. Raises MissingExtra or InputError."""
    found = find_spec("duckdb_extension_vss")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra("duckdb-extension-vss", "duckdb")
    version = library().__version__
    file = Path(found.submodule_search_locations[0]) / "extensions" / f"v{version}" / "vss.duckdb_extension"
    if not file.exists():
        raise InputError(
            f"DuckDB is {version} and its vector search extension is not", "run: pip install 'truerecall[duckdb]'"
        )
    return file


def _walk(nodes: Any) -> Iterator[str]:
    for node in nodes:
        index = node.get("extra_info", {}).get("HNSW Index")
        yield f"{node['name']} {index}" if index else str(node["name"])
        yield from _walk(node["children"])


def first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
