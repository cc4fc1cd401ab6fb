"""sqlite-vec, in this process: vectors in a virtual table of SQLite. It has no index, every search scans all rows.

So it is exact by design, as far as float32 can hold the vectors; int8 and packed bits are kept as they are. Distances
that it tells (l2 unsquared) are not passed on. Under cosine a row of zeros has no distance to anything, and the search
goes astray where one lies among the first: it is not exact then, and says so.

State
    A full scan, always, and the query plan of SQLite. It is exact by design unless the vectors were cast or rows of
    zeros lie in it under cosine; these are counted.

Costs
    It counts nothing; a query is compared with every row that may answer, and that number stands in the run.

Attached
    ``--attach "FILE?table=TABLE&vector=COLUMN"``, opened read-only; both may be left out where there is one column of
    vectors. The distance is that of the table. Answers come by its primary key, whole numbers or texts.

Traps
    - It has no index. Every search is a scan: ``exact-by-design``, never a finding that an index was passed by.
    - Under cosine a row of zeros among the first makes it lose neighbours; the state counts such rows and is not
      exact then.
    - At most 4096 neighbours come; a larger k fails.
    - A condition with OR or NOT IN beside a search is applied to the k rows that were found, and answers are short:
      filters name the rows that pass, and all of these are compared.
    - SQLite takes a name in double quotes for a text where no column bears it: filters quote names in backticks.

Example
    --engine sqlite_vec --distance l2
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from truerecall.engines._address import parsed
from truerecall.engines._attribute_tables import demand_free_names, records
from truerecall.engines._base import BareEngine
from truerecall.engines._casts import block_rows
from truerecall.engines._filter_sql import backticked, sql_of
from truerecall.engines._folders import fresh_file
from truerecall.engines._library import installed
from truerecall.engines._sqlite_vec_index import SqliteVecIndex, as_stored
from truerecall.engines._sqlite_vec_table import ATTRIBUTES, DTYPES, Table, opened, table_in
from truerecall.engines._touched import identity_of_files
from truerecall.errors import InputError
from truerecall.model.attributes import Attributes, Column
from truerecall.model.engine import Capability, Place, Setting, Settings
from truerecall.model.filter import Filter
from truerecall.model.settings import checked_settings
from truerecall.model.source import CorpusSource

FILE = "index.sqlite"
TYPES = {"integers": "INTEGER", "floats": "REAL", "booleans": "INTEGER", "texts": "TEXT"}


class SqliteVecEngine(BareEngine):
    """Fills tables of sqlite-vec, and attaches to those in a database file: ``FILE?table=T&vector=COLUMN``."""

    name = "sqlite_vec"
    extra = "sqlite-vec"
    tested_with = "0.1.9"
    capabilities: frozenset[Capability] = frozenset({"build", "attach", "save", "exact", "filter", "delete", "update"})
    build_settings: tuple[Setting, ...] = ()
    distances: Mapping[str, str] = {
        "l2": "distance_metric=l2",
        "cosine": "distance_metric=cosine",
        "l1": "distance_metric=l1",
        "hamming": "the only one of bit vectors",
    }

    def version(self) -> str | None:
        return installed("sqlite-vec") if installed("apsw") else None

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        self.demand_distance(distance)
        checked_settings(build, ())
        return ()

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
    ) -> SqliteVecIndex:
        self.demand_distance(distance)
        checked_settings(settings, ())
        columns = demand_free_names(attributes)
        path = fresh_file(place, FILE)
        table = _table(source, distance)
        connection = opened(path)
        statement = f"INSERT INTO vectors (rowid, vector) VALUES (?, {table.value})"
        with connection:
            connection.execute(table.definition)
            for start, block in source.blocks(block_rows(source)):
                rows = as_stored(block, table)
                connection.executemany(statement, ((start + i, row.tobytes()) for i, row in enumerate(rows)))
            _keep(connection, columns, source.rows)
        return SqliteVecIndex(connection, table, source.dtype, path)

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
    ) -> SqliteVecIndex:
        checked_settings(settings, ())
        own = fresh_file(place, FILE)
        shutil.copyfile(path, own)
        connection = opened(own)
        try:
            table = table_in(connection, "vectors", "vector")
            index = SqliteVecIndex(connection, table, source.dtype, own)
            if table != _table(source, distance) or index.state().rows != source.rows:
                held = f"{index.state().rows} rows of {table.element}[{table.width}] under {table.distance}"
                raise InputError(f"{path} holds {held}, which is not what {source.name} asks for", "build it again")
        except InputError:
            connection.close()
            raise
        return index

    def attach(self, name: str, distance: str, *, place: Place) -> SqliteVecIndex:
        self.demand_distance(distance)
        file, options = parsed(name, ("table", "vector"))
        connection = opened(Path(file), read_only=True)
        try:
            table = table_in(connection, options.get("table"), options.get("vector"))
            if table.distance != distance:
                raise InputError(f"{table.name} is made for {table.distance}, not {distance}", "ask for its distance")
        except InputError:
            connection.close()
            raise
        index = SqliteVecIndex(connection, table, table.dtype, None, answers="ids")
        index.identity = identity_of_files(Path(file), Path(f"{file}-wal"))
        return index


def _table(source: CorpusSource, distance: str) -> Table:
    """The table that holds such vectors. Raises InputError where the distance is none of theirs."""
    if (source.bits is not None) != (distance == "hamming"):
        kind = "no bits" if source.bits is None else "bits"
        raise InputError(f"{source.name} holds {kind}, and sqlite-vec has no {distance} for them", "choose another")
    if source.bits is not None:
        return Table("vectors", "rowid", "vector", "bit", 8 * source.dimensions, distance)
    element = "int8" if source.dtype == DTYPES["int8"] else "float"
    return Table("vectors", "rowid", "vector", element, source.dimensions, distance)


def _keep(connection: Any, columns: Mapping[str, Column], rows: int) -> None:
    """The columns of filters, in a table beside: one of vec0 keeps no missing values, and compares but some ways."""
    if columns:
        own = ", ".join(f"{backticked(name)} {TYPES[column.kind]}" for name, column in columns.items())
        connection.execute(f"CREATE TABLE {ATTRIBUTES} (id INTEGER PRIMARY KEY, {own}) STRICT")
        places = ", ".join("?" * (len(columns) + 1))
        values = ((row, *own) for row, own in enumerate(records(columns, 0, rows)))
        connection.executemany(f"INSERT INTO {ATTRIBUTES} VALUES ({places})", values)


engine = SqliteVecEngine()
