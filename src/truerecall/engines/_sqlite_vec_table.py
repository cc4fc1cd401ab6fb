"""Tables of sqlite-vec: how a database with the extension is opened, and what a table's own definition says of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.engines._filter_sql import backticked, sql_of
from truerecall.engines._library import imported
from truerecall.errors import EngineFailed, InputError
from truerecall.model.filter import Filter

MEASURES = {"l2": "l2", "cosine": "cosine", "l1": "l1"}
COLUMN = re.compile(r"\b(?P<name>\w+)\s+(?P<element>float|f32|int8|i8|bit)\s*\[(?P<width>\d+)\](?P<rest>[^,]*)", re.I)
KEY = re.compile(r"\b(?P<name>\w+)\s+(?:text|integer)\s+primary\s+key", re.I)
ELEMENTS = {"float": "float", "f32": "float", "int8": "int8", "i8": "int8", "bit": "bit"}
DTYPES: dict[str, np.dtype[Any]] = {"float": np.dtype(np.float32), "int8": np.dtype(np.int8), "bit": np.dtype(np.uint8)}
ATTRIBUTES = "attributes"
"""The table of ours in which the columns of filters lie, by the number of the row."""
CASTS = {"float": "?", "int8": "vec_int8(?)", "bit": "vec_bit(?)"}


@dataclass(frozen=True)
class Table:
    """A virtual table of vec0. ``element``: float, int8 or bit; ``width``: how many of them a row has. Bits have no
    distance but hamming."""

    name: str
    id: str
    vector: str
    element: str
    width: int
    distance: str

    def passing(self, where: Filter | None, *, ours: bool) -> str:
        """The statement that gives the rows of which a filter holds. ``ours``: whether the columns lie beside."""
        if where is None:
            return f"SELECT {backticked(self.id)} FROM {backticked(self.name)}"
        id_, name = ("id", ATTRIBUTES) if ours else (self.id, self.name)
        return f"SELECT {backticked(id_)} FROM {backticked(name)} WHERE {sql_of(where, backticked)}"

    @property
    def definition(self) -> str:
        measure = "" if self.element == "bit" else f" distance_metric={MEASURES[self.distance]}"
        column = f"{self.vector} {self.element}[{self.width}]{measure}"
        return f"CREATE VIRTUAL TABLE {backticked(self.name)} USING vec0({column})"

    def nearest(self, condition: str = "") -> str:
        """The statement that asks for a query's neighbours: the query, then how many."""
        return (
            f"SELECT {backticked(self.id)} FROM {backticked(self.name)} "
            f"WHERE {backticked(self.vector)} MATCH {self.value} AND k = ?{condition} ORDER BY distance"
        )

    @property
    def value(self) -> str:
        """How a vector's bytes are handed over."""
        return CASTS[self.element]

    @property
    def dtype(self) -> np.dtype[Any]:
        return DTYPES[self.element]


def opened(path: Path, *, read_only: bool = False) -> Any:
    """A connection with the extension loaded. Python's own sqlite3 often cannot load one, apsw always can."""
    apsw, sqlite_vec = libraries()
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    try:
        connection = apsw.Connection(str(path), flags=flags)
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        connection.enable_load_extension(False)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except apsw.CantOpenError:
        raise InputError(f"{path} cannot be opened", "name an SQLite database") from None
    except (apsw.NotADBError, apsw.CorruptError):
        raise InputError(f"{path} is no SQLite database", "name an SQLite database") from None
    except apsw.Error as error:
        raise EngineFailed(f"SQLite cannot open {path}: {error}", "see what it says") from None
    return connection


def table_in(connection: Any, name: str | None, vector: str | None) -> Table:
    """The table of vec0 that is there, as far as it is named. Raises InputError."""
    listed = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql LIKE '%using vec0%'").fetchall()
    found = []
    for table, sql in listed:
        key = KEY.search(sql)
        for column in COLUMN.finditer(sql[sql.index("(") :]):
            if name in (None, table) and vector in (None, column["name"]):
                element = ELEMENTS[column["element"].lower()]
                measure = re.search(r"distance_metric\s*=\s*(\w+)", column["rest"], re.I)
                distance = "hamming" if element == "bit" else (measure[1].lower() if measure else "l2")
                id_ = key["name"] if key else "rowid"
                found.append(Table(table, id_, column["name"], element, int(column["width"]), distance))
    if len(found) != 1:
        there = ", ".join(table for table, _ in listed) or "none"
        raise InputError(
            f"{len(found)} columns of vectors fit this name; tables of vec0: {there}", "name table and vector"
        )
    return found[0]


def libraries() -> tuple[Any, Any]:
    """apsw and sqlite-vec. Raises MissingExtra."""
    extra = "sqlite-vec"
    return imported("apsw", package="apsw", extra=extra), imported("sqlite_vec", package="sqlite-vec", extra=extra)
