"""DuckDB with its vector search extension on small seeded vectors: what it answers, and where it misleads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.brute import DIMENSIONS, ROWS, K, Q, X, answers, nearest, share
from truerecall import shelf
from truerecall.engines import _duckdb_database as database
from truerecall.engines._duckdb_database import library
from truerecall.engines._duckdb_index import DuckdbIndex
from truerecall.engines.duckdb import engine
from truerecall.errors import EngineFailed, Incapable, InputError, UnknownName
from truerecall.model.engine import Place
from truerecall.model.source import ArraySource


@pytest.fixture(autouse=True)
def installed() -> None:
    if engine.version() is None:
        pytest.skip("needs duckdb and duckdb-extension-vss")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "place")


def built(place: Place, distance: str = "l2", rows: Any = X, threads: int = 1, **settings: Any) -> DuckdbIndex:
    return engine.build(ArraySource(rows), distance, settings, seed=0, threads=threads, place=place)


def foreign(path: Path, ids: str, values: Any, vectors: Any = X) -> Path:
    """A database that somebody else made, with ids of a type of theirs."""
    connection = database.opened(path, threads=1, read_only=False)
    connection.execute(f'CREATE TABLE "their table" (key {ids}, n INT, v FLOAT[{DIMENSIONS}])')
    for n, (key, row) in enumerate(zip(values, vectors, strict=False)):
        connection.execute('INSERT INTO "their table" VALUES (?, ?, ?)', [key, n % 10, row])
    connection.execute('CREATE INDEX theirs ON "their table" USING HNSW (v)')
    connection.close()
    return path


def test_it_stands_on_its_shelf() -> None:
    assert shelf.engines.get("duckdb") is engine


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine"])
def test_it_builds_searches_saves_and_loads(distance: str, place: Place, tmp_path: Path) -> None:
    scales = np.random.default_rng(3).uniform(0.5, 2, size=(ROWS, 1))
    rows = (X * scales).astype(np.float32)
    truth = nearest(rows, Q, distance)
    index = built(place, distance, rows)
    assert index.configure({"hnsw_ef_search": 400}) == {"hnsw_ef_search": 400}
    found = answers(index)
    assert share(found, truth) > 0.95
    prepared = index.prepare(Q)
    assert [index.exact(prepared[i : i + 1], K) for i in range(len(Q))] == truth
    state = index.state()
    assert (state.kind, state.rows, state.indexed_rows, state.path) == ("HNSW", ROWS, ROWS, "index")
    assert state.told.endswith("HNSW_INDEX_SCAN neighbours")
    assert (state.transform, state.exhaustive, state.exact_by_design) == ("none", False, False)
    index.save(tmp_path / "index")
    index.close()
    other = Place(tmp_path / "other")
    loaded = engine.load(tmp_path / "index", ArraySource(rows), distance, {}, threads=1, place=other)
    assert loaded.configure({"hnsw_ef_search": 400}) == {"hnsw_ef_search": 400}
    assert answers(loaded) == found
    assert loaded.state().told == state.told
    loaded.close()


def test_more_effort_finds_more(place: Place) -> None:
    index, truth = built(place, M=4, ef_construction=8), nearest(X, Q, "l2")
    found = []
    for ef in (1, 20, 500):
        assert index.configure({"hnsw_ef_search": ef}) == {"hnsw_ef_search": ef}
        found.append(share(answers(index), truth))
    assert found[0] < found[1] < found[2]
    assert index.configure({}) == {"hnsw_ef_search": 64}


def test_a_setting_of_one_connection_is_not_in_force_on_another(place: Place) -> None:
    index = built(place)
    index.configure({"hnsw_ef_search": 5})
    other = index.connection.cursor()
    index.connection.execute("SET hnsw_ef_search = 7")
    assert other.execute("SELECT current_setting('hnsw_ef_search')").fetchall() == [(5,)]
    with pytest.raises(EngineFailed, match="was told hnsw_ef_search=9 and holds 7"):
        index.configure({"hnsw_ef_search": 9})


def test_values_that_duckdb_takes_and_does_not_heed_are_refused(place: Place) -> None:
    index = built(place)
    for value in (0, -3):
        index.connection.execute(f"SET GLOBAL hnsw_ef_search = {value}")  # searched as if nothing had been set
        with pytest.raises(InputError, match=f"hnsw_ef_search is {value}"):
            index.configure({"hnsw_ef_search": value})
    with pytest.raises(UnknownName, match="did you mean hnsw_ef_search"):
        index.configure({"ef_search": 10})
    with pytest.raises(InputError, match="M is 1"):
        built(place, M=1)


def test_a_condition_is_applied_to_what_the_index_found(place: Place) -> None:
    index = built(place)
    statement = (
        f"SELECT id FROM vectors WHERE id % 10 = 3 ORDER BY array_distance(vector, ?::FLOAT[{DIMENSIONS}]) LIMIT 10"
    )
    lengths = [len(index.connection.execute(statement, [query]).fetchall()) for query in Q]
    assert np.mean(lengths) < 4
    assert any("HNSW_INDEX_SCAN" in step for step in database.operators(index.connection, statement, [Q[0]]))


def test_an_index_for_another_distance_is_not_used(place: Place, tmp_path: Path) -> None:
    index = built(place)
    steps = database.operators(index.connection, index.table.nearest("cosine"), [Q[0], K])
    assert not any("HNSW_INDEX_SCAN" in step for step in steps)
    index.save(tmp_path / "saved.duckdb")
    with pytest.raises(InputError, match="is made for l2sq, not cosine"):
        engine.attach(str(tmp_path / "saved.duckdb"), "cosine", place=place)


def test_without_the_index_the_state_says_that_all_is_scanned(place: Place) -> None:
    index = built(place)
    index.connection.execute("DROP INDEX neighbours")
    steps = database.operators(index.connection, index.table.nearest("l2"), [Q[0], K])
    assert not any("HNSW_INDEX_SCAN" in step for step in steps)
    assert answers(index) == nearest(X, Q, "l2")


def test_deletes_and_updates_show_and_the_index_keeps_what_is_gone(place: Place) -> None:
    index = built(place)
    gone = [row for row in range(ROWS) if row % 10]
    index.delete(gone)
    found = answers(index)
    assert not set(gone) & {row for answer in found for row in answer}
    assert min(len(answer) for answer in found) < K
    state = index.state()
    assert state.rows == ROWS / 10 < (state.indexed_rows or 0)
    index.update([10], Q[:1])
    assert answers(index, Q[:1])[0][0] == 10


def test_several_clients_at_once_get_what_one_gets(place: Place) -> None:
    """More scans at a time than the database has threads end the process, so they wait."""
    index = built(place)
    alone = answers(index)
    with ThreadPoolExecutor(4) as clients:
        found = list(clients.map(lambda i: index.search(Q[i % len(Q) :][:1], K), range(200)))
    assert all(answer == alone[i % len(Q)] for i, answer in enumerate(found))
    assert index.search_batch(index.prepare(Q), K) == alone


def test_a_short_answer_is_short(place: Place) -> None:
    assert {len(answer) for answer in answers(built(place, rows=X[:7]))} == {7}


@pytest.mark.parametrize(
    ("ids", "values"),
    [
        ("BIGINT", [2**53 + 1, -5, 2**63 - 1]),
        ("UBIGINT", [2**64 - 1, 0, 2**53 + 1]),
        ("VARCHAR", ["ä", "", "0x"]),
        ("UUID", [f"c0ffee00-0000-4000-8000-00000000000{n}" for n in range(3)]),
    ],
)
def test_attached_ids_come_back_as_they_are(ids: str, values: list[Any], tmp_path: Path, place: Place) -> None:
    path = foreign(tmp_path / "theirs.duckdb", ids, values)
    before = path.read_bytes()
    index = engine.attach(f"{path}?table=their table&id=key&vector=v", "l2", place=place)
    assert index.answers == "ids"
    assert [index.search(X[i : i + 1], 1) for i in range(3)] == [[value] for value in values]
    assert index.state().path == "index"
    with pytest.raises(Incapable):
        index.delete(values)
    with pytest.raises(Incapable):
        index.update(values, X[:3])
    with pytest.raises(Incapable):
        index.save(path)
    with pytest.raises(Exception, match="read-only mode"):
        index.connection.execute('DELETE FROM "their table"')
    index.close()
    assert path.read_bytes() == before


def test_what_cannot_be_attached_to(tmp_path: Path, place: Place) -> None:
    path = foreign(tmp_path / "theirs.duckdb", "DOUBLE", [0.5])
    for name, words in (
        (f"{path}?id=key", "key is of type DOUBLE"),
        (str(path), "their table has no column id"),
        (f"{path}?table=other", "0 HNSW indexes fit this name; there are: their table.v"),
        (f"{path}?colum=v", "unknown option colum"),
        (str(tmp_path / "nothing"), "is no DuckDB database"),
    ):
        with pytest.raises(InputError, match=words):
            engine.attach(name, "l2", place=place)


def test_two_side_by_side_and_files_are_let_go(tmp_path: Path) -> None:
    one, other = built(Place(tmp_path / "a")), built(Place(tmp_path / "b"), rows=X[:100])
    one.configure({"hnsw_ef_search": 1})
    assert other.configure({}) == {"hnsw_ef_search": 64}
    assert [one.state().rows, other.state().rows] == [ROWS, 100]
    answers(one)
    one.close()
    database.opened(tmp_path / "a" / "index.duckdb", threads=2, read_only=False).close()  # refused while it is open
    other.close()


def test_a_build_that_was_broken_off_is_begun_anew(place: Place) -> None:
    place.folder.mkdir()
    (place.folder / "index.duckdb").write_bytes(b"half")
    assert built(place).state().rows == ROWS


def test_a_file_that_is_no_database_or_of_another_corpus(place: Place, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"nothing of the kind" * 1000)
    with pytest.raises(InputError, match="is no DuckDB database"):
        engine.load(tmp_path / "x", ArraySource(X), "l2", {}, threads=1, place=place)
    index = built(place)
    index.save(tmp_path / "y")
    with pytest.raises(InputError, match="holds 3000 rows of 32 dimensions and array 5 of 32"):
        engine.load(tmp_path / "y", ArraySource(X[:5]), "l2", {}, threads=1, place=Place(tmp_path / "other"))


def test_a_cast_is_declared(place: Place) -> None:
    assert built(place, rows=X.astype(np.float64)).state().transform == "cast from float64 to float32"


def test_an_extension_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(library(), "__version__", "2.0.0")
    with pytest.raises(InputError, match=r"DuckDB is 2\.0\.0 and its vector search extension is not"):
        database.opened(tmp_path / "x", threads=1, read_only=False)
