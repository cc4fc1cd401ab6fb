"""Tables of others behind a filter: by their own columns, whose types and rules of order are the database's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from psycopg import sql

from tests.engines.brute import answers, exact_answers
from tests.engines.pgvectors import Q, X, attached, filled, nearest
from tests.postgres import Server
from truerecall import shelf
from truerecall.errors import InputError
from truerecall.model.engine import Index, Place
from truerecall.model.filter import AllOf, AnyOf, Compared, Condition, Filter, Missing, OneOf

NAMES = ("g", "price", "word", "flag")
WORDS = ["apple", "Berry", "zoo", "Äpfel", "it's", "a\\"]
HELD: list[tuple[int, float | None, str, bool]] = [
    (row % 10, None if row % 5 == 0 else row / 8, WORDS[row % 6], row % 3 == 0) for row in range(len(X))
]


def kept(condition: Condition) -> set[int]:
    """By the rules of Python, row by row."""

    def of(own: Condition, row: int) -> bool:
        if isinstance(own, AllOf):
            return all(of(part, row) for part in own.parts)
        if isinstance(own, AnyOf):
            return any(of(part, row) for part in own.parts)
        value = dict(zip(NAMES, HELD[row], strict=True))[own.column]
        if isinstance(own, Missing):
            return (value is None) == own.missing
        if value is None:
            return False
        if isinstance(own, OneOf):
            return (value in own.values) == own.among
        signs: dict[str, Any] = {"=": value == own.value, "!=": value != own.value}
        if own.sign not in signs:
            order: Any = own.value
            signs = {"<": value < order, "<=": value <= order, ">": value > order, ">=": value >= order}
        return bool(signs[own.sign])

    return {row for row in range(len(X)) if of(condition, row)}


CONDITIONS: tuple[Condition, ...] = (
    Compared("g", "=", 3),
    Compared("g", "!=", 3),
    Compared("price", "<=", 100.5),
    Missing("price"),
    OneOf("price", (0.125, 0.25), among=False),
    Compared("flag", "=", True),
    Compared("word", "<", "Z"),
    Compared("word", ">=", "z"),
    Compared("word", "=", "it's"),
    Compared("word", "=", "a\\"),
    OneOf("word", ("Berry", "nothing' OR 1=1 --")),
    AllOf((AnyOf((Compared("g", "<", 2), Compared("word", "=", "zoo"))), Missing("price", missing=False))),
)


def agrees(index: Index, condition: Condition, number: Any = int) -> None:
    index.restrict(Filter(condition))
    rows = sorted(kept(condition))
    wanted = [[rows[place] for place in own] for own in nearest(X[rows], Q, "l2")]
    assert [[number(own) for own in found] for found in exact_answers(index, Q)] == wanted, str(condition)
    assert all({number(own) for own in found} <= set(rows) for found in answers(index, Q)), str(condition)


def table_of_others(connection: Any, index: str | None = "hnsw (v vector_l2_ops)") -> None:
    filled(connection, index=index)
    connection.execute("ALTER TABLE items ADD g int2, ADD price real, ADD word text, ADD flag boolean")
    connection.execute("CREATE TEMP TABLE held (id bigint, g int2, price real, word text, flag boolean)")
    with connection.cursor().copy("COPY held FROM STDIN") as copy:
        for row, own in enumerate(HELD):
            copy.write_row((row, *own))
    connection.execute(
        "UPDATE items SET g = held.g, price = held.price, word = held.word, flag = held.flag"
        " FROM held WHERE held.id = items.id"
    )
    connection.execute("VACUUM ANALYZE items")


def test_a_table_in_postgres(database: str, postgres_server: Server) -> None:
    """Texts are put in the order of their code points, whatever that of the column is."""
    with postgres_server.connect(database) as connection:
        table_of_others(connection)
    index = attached()
    index.restrict(Filter(AllOf((Compared("word", ">", "a"), Compared("word", "!=", "b")))))
    assert b'("word" COLLATE "C" > \'a\' AND "word" <> \'b\')' in index.statement
    for condition in CONDITIONS:
        agrees(index, condition)
    index.restrict(None)
    assert exact_answers(index, Q) == nearest(X, Q, "l2")
    index.close()


def test_where_a_backslash_begins_an_escape_it_does_not(database: str, postgres_server: Server) -> None:
    with postgres_server.connect(database) as connection:
        table_of_others(connection, index=None)
        own = sql.SQL("ALTER DATABASE {} SET standard_conforming_strings = off").format(sql.Identifier(database))
        connection.execute(own)
    index = attached()
    agrees(index, Compared("word", "=", "a\\"))
    agrees(index, Compared("word", "!=", "\\' OR true --"))
    index.close()


REFUSED: tuple[tuple[Condition, str], ...] = (
    (Compared("colour", "=", 1), 'does not take colour = 1: column "colour" does not exist; mend the filter'),
    (Compared("g", "=", "three"), "does not take g = 'three': invalid input syntax for type smallint"),
    (Compared("word", "=", 3), "does not take word = 3: operator does not exist: text = integer"),
    (Compared("flag", ">", 3), "does not take flag > 3: operator does not exist: boolean > integer"),
    (Compared("v", "=", 3), "does not take v = 3: operator does not exist"),
)


def test_what_the_table_has_no_column_for_is_refused_in_one_line(database: str, postgres_server: Server) -> None:
    with postgres_server.connect(database) as connection:
        table_of_others(connection, index=None)
    index = attached()
    for condition, words in REFUSED:
        agrees(index, Compared("g", "=", 3))
        with pytest.raises(InputError) as refused:
            index.restrict(Filter(condition))
        assert words in str(refused.value)
        assert "\n" not in str(refused.value)
    agrees(index, Compared("g", "=", 4))
    index.close()


def test_the_plan_is_that_of_a_search_behind_the_filter(database: str, postgres_server: Server) -> None:
    """Where another index finds the few rows that pass, they are compared one by one and none is lost."""
    with postgres_server.connect(database) as connection:
        table_of_others(connection)
        connection.execute("CREATE INDEX items_price ON items (price)")
    index = attached()
    answers(index, Q)
    assert index.state().path == "index"
    narrow = Compared("price", "=", 100.125)
    agrees(index, narrow)
    state = index.state()
    assert (state.path, state.exhaustive) == ("full scan", True)
    assert "items_price" in state.told
    index.restrict(None)
    assert index.state().path is None  # of no search that was asked yet
    answers(index, Q)
    assert index.state().path == "index"
    index.close()


def test_a_table_of_sqlite_vec(tmp_path: Path) -> None:
    """Which by itself applies OR and NOT IN to the k rows that it found."""
    engine = shelf.engines.get("sqlite_vec")
    from truerecall.engines._sqlite_vec_table import opened

    connection = opened(tmp_path / "theirs.db")
    connection.execute(
        "CREATE VIRTUAL TABLE t USING vec0(v float[64], g integer, price float, word text, flag boolean)"
    )
    with connection:
        for row, (vector, own) in enumerate(zip(X, HELD, strict=True)):
            values = (row, vector.tobytes(), own[0], own[1] or -1.0, own[2], int(own[3]))
            connection.execute("INSERT INTO t(rowid, v, g, price, word, flag) VALUES (?, ?, ?, ?, ?, ?)", values)
    connection.close()
    index = engine.attach(f"{tmp_path / 'theirs.db'}?table=t&vector=v", "l2", place=Place(tmp_path))
    either = AnyOf((Compared("g", "=", 1), Compared("word", "=", "zoo")))
    for condition in (*CONDITIONS[:2], *CONDITIONS[5:-1], either, OneOf("g", (1, 2), among=False)):
        agrees(index, condition)
        assert index.state().exhaustive
        assert index.vectors_scanned(10) == len(kept(condition))
    with pytest.raises(InputError, match="does not take colour = 1: no such column: colour"):
        index.restrict(Filter(Compared("colour", "=", 1)))
    index.close()


def arrow_table() -> Any:
    import pyarrow as pa

    columns = dict(zip(NAMES, zip(*HELD, strict=True), strict=True))
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(X.reshape(-1)), X.shape[1])
    return pa.table({"id": np.arange(len(X)), "v": vectors, **{name: pa.array(own) for name, own in columns.items()}})


def test_a_table_of_duckdb(tmp_path: Path) -> None:
    from truerecall.engines._duckdb_database import opened

    connection = opened(tmp_path / "theirs.db", threads=1, read_only=False)
    connection.execute("CREATE TABLE t (id BIGINT, v FLOAT[64], g SMALLINT, price FLOAT, word VARCHAR, flag BOOLEAN)")
    connection.register("theirs", arrow_table())
    connection.execute("INSERT INTO t SELECT * FROM theirs")
    connection.execute("CREATE INDEX i ON t USING HNSW (v)")
    connection.execute("CHECKPOINT")
    connection.close()
    index = shelf.engines.get("duckdb").attach(f"{tmp_path / 'theirs.db'}?table=t", "l2", place=Place(tmp_path))
    for condition in CONDITIONS:
        agrees(index, condition)
    with pytest.raises(InputError, match="does not take colour = 1: Binder Error"):
        index.restrict(Filter(Compared("colour", "=", 1)))
    with pytest.raises(InputError, match="does not take g = 'three'"):
        index.restrict(Filter(Compared("g", "=", "three")))
    index.close()


def test_a_table_of_lancedb(tmp_path: Path) -> None:
    import lancedb

    lancedb.connect(str(tmp_path)).create_table("theirs", data=arrow_table())
    name = f"{tmp_path / 'theirs.lance'}?id=id&vector=v"
    index = shelf.engines.get("lancedb").attach(name, "l2", place=Place(tmp_path / "place"))
    for condition in CONDITIONS:
        agrees(index, condition)
    with pytest.raises(InputError, match=r"LanceDB does not take colour = 1: .*colour"):
        index.restrict(Filter(Compared("colour", "=", 1)))
    index.close()


def test_a_folder_of_qdrant_edge(tmp_path: Path) -> None:
    import qdrant_edge as edge

    config = edge.EdgeConfig(vectors=edge.EdgeVectorParams(size=X.shape[1], distance=edge.Distance.Euclid))
    (tmp_path / "theirs").mkdir()
    shard = edge.EdgeShard.create(str(tmp_path / "theirs"), config)
    carried = [{name: value for name, value in zip(NAMES, own, strict=True) if value is not None} for own in HELD]
    points = [edge.Point(row, vector.tolist(), own) for row, (vector, own) in enumerate(zip(X, carried, strict=True))]
    shard.update(edge.UpdateOperation.upsert_points(points))
    shard.optimize()
    shard.flush()
    shard.close()
    engine = shelf.engines.get("qdrant_edge")
    index = engine.attach(str(tmp_path / "theirs"), "l2", place=Place(tmp_path / "place"))
    for condition in (*CONDITIONS[:6], *CONDITIONS[8:]):
        agrees(index, condition)
    with pytest.raises(InputError, match="no point has the field colour, and colour = 1 asks for it"):
        index.restrict(Filter(Compared("colour", "=", 1)))
    index.close()
