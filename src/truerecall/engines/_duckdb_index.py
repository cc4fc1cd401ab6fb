"""A table of DuckDB with an HNSW index: what can be asked of it, and what it says of itself."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import BoundedSemaphore, local
from typing import Any, Literal

import numpy as np

from truerecall.engines._base import BareIndex
from truerecall.engines._casts import as_float32, cast_in_words
from truerecall.engines._duckdb_database import INDEX_SCAN, Table, first_line, library, operators, quoted
from truerecall.errors import EngineFailed, InputError
from truerecall.model.arrays import Vectors
from truerecall.model.engine import Answer, IndexState, Setting, Settings
from truerecall.model.filter import Filter
from truerecall.model.settings import checked_settings


@dataclass(eq=False)
class DuckdbIndex(BareIndex):
    """``path``: the database file, None where the index was attached to and is only read. ``threads``: of the database.

    A search runs on a connection of its thread, and no more at once than the database has threads: the extension
    crashes the process where more scan an index.
    """

    connection: Any
    table: Table
    distance: str
    dtype: np.dtype[Any]
    searchable: tuple[Setting, ...]
    threads: int
    path: Path | None
    answers: Literal["rows", "ids"] = "rows"
    engine = "duckdb"
    _cursors: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._own = local()
        self._free = BoundedSemaphore(self.threads)
        self.dimensions = self.table.dimensions
        self._asked: list[Any] = [[0.0] * self.dimensions, 10]
        self.restrict(None)

    def restrict(self, where: Filter | None) -> None:
        """DuckDB applies the condition to what the index found: it takes no more from there to make up for it."""
        self._nearest = self.table.nearest(self.distance, where)
        self._past_the_index = self.table.nearest(self.distance, where, past_the_index=True)
        try:
            exhaustive = operators(self.connection, self._past_the_index, self._asked)
            if where is not None:
                self.connection.execute(self._nearest, self._asked).fetchall()
        except (library().BinderException, library().ConversionException) as error:
            problem = f"{self.table.name} does not take {where}: {first_line(error)}"
            raise InputError(problem, "mend the filter") from None
        if any(INDEX_SCAN in step for step in exhaustive):
            raise EngineFailed("DuckDB answers an exhaustive search through the index", "use another version of it")

    def configure(self, settings: Settings) -> Settings:
        """For the whole database: what is set on one connection alone, others do not see."""
        [setting] = self.searchable
        wanted = checked_settings(settings, self.searchable).get(setting.name, setting.default)
        self.connection.execute(f"SET GLOBAL {setting.name} = {wanted}")
        for cursor in (self.connection, self.connection.cursor()):
            [(held,)] = cursor.execute(f"SELECT current_setting('{setting.name}')").fetchall()
            if held != wanted:
                problem = f"DuckDB was told {setting.name}={wanted} and holds {held}"
                raise EngineFailed(problem, "choose another value")
        return {setting.name: held}

    def prepare(self, queries: Vectors) -> Vectors:
        return as_float32(queries, unit_length=False)

    def search(self, query: Vectors, k: int) -> Answer:
        return self._rows(self._nearest, query, k)

    def exact(self, query: Vectors, k: int) -> Answer:
        return self._rows(self._past_the_index, query, k)

    def state(self) -> IndexState:
        """The plan is that of the query that was asked last."""
        [(rows,)] = self._all(f"SELECT count({quoted(self.table.vector)}) FROM {quoted(self.table.name)}")
        [(entries,)] = self._all(f"SELECT count FROM pragma_hnsw_index_info() WHERE index_name = '{self.table.index}'")
        steps = operators(self.connection, self._nearest, self._asked)
        scanned = not any(INDEX_SCAN in step for step in steps)
        in_full = np.can_cast(self.dtype, np.float32)
        return IndexState(
            kind="HNSW",
            rows=rows,
            indexed_rows=entries,
            trained=None,
            transform=cast_in_words(self.dtype) or "none",
            size_bytes=self.path.stat().st_size if self.path else None,
            exact_by_design=False,
            path="full scan" if scanned else "index",
            told=" > ".join(steps),
            exhaustive=scanned and in_full,
        )

    def delete(self, rows: Answer) -> None:
        """The index keeps entries of rows that are gone, and answers grow short by them."""
        if self.path is None:
            self._cannot("delete")
        table, id_ = quoted(self.table.name), quoted(self.table.id)
        self.connection.execute(f"DELETE FROM {table} WHERE {id_} IN (SELECT unnest(?))", [_plain(rows)])

    def update(self, rows: Answer, vectors: Vectors) -> None:
        if self.path is None:
            self._cannot("update")
        table, id_, vector = quoted(self.table.name), quoted(self.table.id), quoted(self.table.vector)
        statement = f"UPDATE {table} SET {vector} = ?::FLOAT[{self.table.dimensions}] WHERE {id_} = ?"
        for row, values in zip(_plain(rows), self.prepare(vectors), strict=True):
            self.connection.execute(statement, [values, row])

    def save(self, path: Path) -> None:
        if self.path is None:
            self._cannot("save")
        self.connection.execute("CHECKPOINT")
        try:
            shutil.copyfile(self.path, path)
        except OSError as error:
            raise EngineFailed(f"{path} could not be written: {error.strerror}", "free some space") from None

    def close(self) -> None:
        for cursor in (*self._cursors, self.connection):
            cursor.close()

    def _rows(self, statement: str, query: Vectors, k: int) -> Answer:
        self._asked = [query[0], k]
        with self._free:
            found = self._cursor().execute(statement, [query[0], k]).fetchall()
        return [row[0] for row in found]

    def _cursor(self) -> Any:
        """The connection of this thread to the same database."""
        if not hasattr(self._own, "cursor"):
            self._own.cursor = self.connection.cursor()
            self._cursors.append(self._own.cursor)
        return self._own.cursor

    def _all(self, statement: str) -> Any:
        return self.connection.execute(statement).fetchall()


def _plain(rows: Answer) -> Sequence[Any]:
    return np.asarray(rows).tolist()  # type: ignore[no-any-return]
