"""A table of sqlite-vec: what can be asked of it, and what it says of itself."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from truerecall.engines._base import BareIndex
from truerecall.engines._casts import as_float32, cast_in_words
from truerecall.engines._sqlite_vec_table import Table, libraries, quoted
from truerecall.errors import EngineFailed, InputError
from truerecall.model.arrays import Vectors
from truerecall.model.engine import Answer, IndexState, Settings
from truerecall.model.filter import Filter
from truerecall.model.settings import checked_settings

LARGEST_K = 4096  # sqlite-vec's own limit


@dataclass(eq=False)
class SqliteVecIndex(BareIndex):
    """``path``: the database file, None where the table was attached to and is only read. ``dtype``: of the vectors as
    given."""

    connection: Any
    table: Table
    dtype: np.dtype[Any]
    path: Path | None
    answers: Literal["rows", "ids"] = "rows"
    engine = "sqlite_vec"
    searchable = ()

    def __post_init__(self) -> None:
        self.dimensions = -(-self.table.width // 8) if self.table.element == "bit" else self.table.width
        self.restrict(None)

    def configure(self, settings: Settings) -> Settings:
        checked_settings(settings, ())
        return {}

    def restrict(self, where: Filter | None) -> None:
        """By the rows that pass, which sqlite-vec takes before it looks for the nearest. A condition on the columns of
        its own table it takes so only in part: with OR or NOT IN, SQLite applies it to the k rows that were found."""
        self.passing = self.table.passing(where, ours=self.path is not None)
        condition = f" AND {quoted(self.table.id)} IN ({self.passing})" if where else ""
        self.statement = self.table.nearest(condition)
        try:
            self.connection.execute(f"EXPLAIN {self.statement}", (b"", 1)).fetchall()
        except libraries()[0].SQLError as error:
            raise InputError(f"{self.table.name} does not take {where}: {error}", "mend the filter") from None

    def prepare(self, queries: Vectors) -> Vectors:
        return as_stored(queries, self.table)

    def search(self, query: Vectors, k: int) -> Answer:
        if k > LARGEST_K:
            raise InputError(
                f"k is {k}, and sqlite-vec gives at most {LARGEST_K} neighbours", f"ask for k <= {LARGEST_K}"
            )
        found = self.connection.execute(self.statement, (query[0].tobytes(), k))
        return [row[0] for row in found]

    def exact(self, query: Vectors, k: int) -> Answer:
        """Every search is exhaustive."""
        return self.search(query, k)

    def state(self) -> IndexState:
        rows = self._count()
        query = np.zeros(self.table.width, self.table.dtype).tobytes()
        plan = self.connection.execute(f"EXPLAIN QUERY PLAN {self.statement}", (query, 10)).fetchall()
        astray = self._without_direction()
        note = f"; {astray} rows of zeros, beside which it loses neighbours" if astray else ""
        in_full = np.can_cast(self.dtype, self.table.dtype) and not astray
        return IndexState(
            kind=f"vec0 {self.table.element}[{self.table.width}]",
            rows=rows,
            indexed_rows=rows,
            trained=None,
            transform=cast_in_words(self.dtype, self.table.dtype.name) or "none",
            size_bytes=self.path.stat().st_size if self.path else None,
            exact_by_design=in_full,
            path="full scan",
            told="; ".join(step[3] for step in plan) + note,
            exhaustive=in_full,
        )

    def vectors_scanned(self, k: int) -> int | None:
        return int(self.connection.execute(f"SELECT count(*) FROM ({self.passing})").fetchone()[0])

    def delete(self, rows: Answer) -> None:
        if self.path is None:
            self._cannot("delete")
        statement = f"DELETE FROM {quoted(self.table.name)} WHERE rowid = ?"
        with self.connection:
            self.connection.executemany(statement, [(row,) for row in np.asarray(rows).tolist()])

    def update(self, rows: Answer, vectors: Vectors) -> None:
        if self.path is None:
            self._cannot("update")
        column = quoted(self.table.vector)
        statement = f"UPDATE {quoted(self.table.name)} SET {column} = {self.table.value} WHERE rowid = ?"
        values = [vector.tobytes() for vector in self.prepare(vectors)]
        with self.connection:
            self.connection.executemany(statement, zip(values, np.asarray(rows).tolist(), strict=True))

    def save(self, path: Path) -> None:
        if self.path is None:
            self._cannot("save")
        try:
            shutil.copyfile(self.path, path)
        except OSError as error:
            raise EngineFailed(f"{path} could not be written: {error.strerror}", "free some space") from None

    def close(self) -> None:
        self.connection.close()

    def _without_direction(self) -> int:
        """How many rows have no distance to anything under cosine. Its selection of the nearest trips over them."""
        if self.table.distance != "cosine":
            return 0
        column = quoted(self.table.vector)
        return self._count(f"vec_distance_cosine({column}, {column}) IS NULL")

    def _count(self, condition: str = "true") -> int:
        statement = f"SELECT count(*) FROM {quoted(self.table.name)} WHERE {condition}"
        return int(self.connection.execute(statement).fetchone()[0])


def as_stored(vectors: Vectors, table: Table) -> Vectors:
    """Rows in the element type of the table. Raises InputError where they cannot be."""
    if table.element == "float":
        return as_float32(vectors, unit_length=False)
    if vectors.dtype != table.dtype:
        raise InputError(f"vectors are {vectors.dtype} and the table holds {table.element}", "give the same type")
    return np.ascontiguousarray(vectors)
