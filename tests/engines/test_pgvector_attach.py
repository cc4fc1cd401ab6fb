"""Tables of others, measured where they lie: what is found out about them, and that nothing of them is touched."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.pgvectors import DIMENSIONS, NOWHERE, K, Q, X, asked, attached, filled, hits, nearest
from tests.postgres import OWNER, Server
from truerecall.engines.pgvector import engine
from truerecall.errors import EngineFailed, Incapable, InputError, TruerecallError, UnknownName
from truerecall.model.engine import Place

SECRET = "geheim"
LISTS = "ivfflat (v vector_l2_ops) WITH (lists = 20)"


@pytest.fixture
def owner(database: str, postgres_server: Server) -> Any:
    """A connection as the owner of the tables."""
    with postgres_server.connect(database) as connection:
        yield connection


def test_an_index_is_found_with_its_kind_and_settings(owner: Any) -> None:
    filled(owner, index="hnsw (v vector_l2_ops) WITH (m = 8, ef_construction = 40)")
    index = attached()
    assert index.answers == "ids"
    assert index.configure({"ef_search": 50})["ef_search"] == 50
    found = asked(index)
    assert hits(found, nearest(X, Q, "l2")) > 0.6
    assert [list(own) for own in index.search_batch(index.prepare(Q), K)] == found
    state = index.state()
    assert state.kind == f"hnsw (m=8, ef_construction=40) on vector({DIMENSIONS})"
    assert (state.rows, state.indexed_rows, state.trained, state.path) == (len(X), len(X), True, "index")
    assert state.told.endswith("Limit > Index Scan using items_v on items")
    assert state.transform == "none"
    assert state.size_bytes == owner.execute("SELECT pg_relation_size('items_v')").fetchone()[0]
    index.close()


@pytest.mark.parametrize(
    ("id_type", "ids"),
    [
        ("bigint", [2**62 + own for own in range(200)]),
        ("integer", [own * 3 for own in range(200)]),
        ("smallint", list(range(200))),
        ("text", [f"Zeile %s {own:03}" for own in range(200)]),
        ("varchar(40)", [f"ä{own:03}" for own in range(200)]),
        ("uuid", [str(uuid.UUID(int=own * 2**100 + own)) for own in range(200)]),
    ],
)
def test_ids_come_back_as_they_are(owner: Any, id_type: str, ids: list[Any]) -> None:
    spelt = [own.upper() for own in ids] if id_type == "uuid" else ids
    filled(owner, X[:200], ids=spelt, id_type=id_type)
    index = attached()
    index.configure({})
    wanted = [[ids[row] for row in own] for own in nearest(X[:200], Q, "l2")]
    assert asked(index) == wanted
    assert [list(index.exact(index.prepare(Q[:1]), K))] == wanted[:1]
    index.close()


@pytest.mark.parametrize("distance", ["ip", "cosine", "l1"])
def test_an_operator_that_no_index_serves_is_a_full_scan(owner: Any, distance: str) -> None:
    filled(owner, index=LISTS)
    index = attached(distance)
    assert index.configure({}) == {}
    with pytest.raises(UnknownName, match="unknown setting probes; there are none here"):
        index.configure({"probes": 4})
    assert hits(asked(index), nearest(X, Q, distance)) == 1.0
    state = index.state()
    assert state.kind.startswith("no index for <")
    assert (state.indexed_rows, state.path, state.exhaustive) == (0, "full scan", True)
    assert state.told.endswith("Limit > Sort > Seq Scan on items")
    index.close()


def test_a_distance_that_the_type_does_not_have_is_refused(owner: Any) -> None:
    owner.execute("CREATE TABLE codes (id int PRIMARY KEY, v bit(16), w sparsevec(4), t text, n numeric)")
    filled(owner, X[:50])
    for distance, name, words in (
        ("hamming", "items?id=id&vector=v", "v of items is of type vector, which has no hamming"),
        ("l2", "codes?id=id&vector=v", "v of codes is of type bit, which has no l2"),
        ("l2", "codes?id=id&vector=w", "w of codes is of type sparsevec; name one of vector, halfvec, bit"),
        ("l2", "codes?id=id&vector=t", "t of codes is of type text"),
        ("l2", "codes?id=n&vector=v", "n of codes is of type numeric; ids are"),
        ("l2", "codez?id=id&vector=v", "there is no table codez"),
        ("l2", "codes?id=ident&vector=v", "unknown column of codes ident"),
        ("l2", "items?id=id&vector=w", "unknown column of items w"),
        ("l2", "items", "items names no id; write TABLE[?]id=COLUMN&vector=COLUMN"),
        ("l2", "items?id=id", "names no vector"),
        ("l2", "items?id=id&id=v&vector=v", "id is given twice in items"),
        ("l2", "items?id=id&vector=v&where=1", "unknown option where"),
    ):
        with pytest.raises(InputError, match=words):
            attached(distance, name)


def test_names_are_taken_as_they_stand(owner: Any) -> None:
    filled(owner, X[:50])
    owner.execute('CREATE SCHEMA "S%s"; ALTER TABLE items SET SCHEMA "S%s"; ALTER TABLE "S%s".items RENAME TO "a&b"')
    owner.execute('ALTER TABLE "S%s"."a&b" RENAME id TO "Id = ?"; ALTER TABLE "S%s"."a&b" RENAME v TO "v; --"')
    name = "S%25s.a%26b?id=Id = ?&vector=v; --"
    index = attached(name=name)
    assert asked(index) == nearest(X[:50], Q, "l2")
    index.close()
    corpus = engine.source(name, place=NOWHERE)
    assert (corpus.source.take(np.arange(50)) == X[:50]).all()


def test_null_and_zero_vectors_are_not_in_the_index(owner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [*X[:50], None, np.zeros(DIMENSIONS)]
    filled(owner, rows, index="hnsw (v vector_cosine_ops)")
    owner.execute("CREATE INDEX items_l2 ON items USING hnsw (v vector_l2_ops)")
    monkeypatch.setenv("PGOPTIONS", "-c enable_seqscan=off")
    for distance, indexed, found in (("cosine", 50, 50), ("l2", 51, 51)):
        index = attached(distance)
        index.configure({"ef_search": 200})
        assert {len(own) for own in asked(index, k=60)} == {found}
        assert len(index.exact(index.prepare(Q[:1]), 60)) == 52
        state = index.state()
        assert (state.rows, state.indexed_rows, state.path) == (52, indexed, "index")
        index.close()


def test_a_partial_index_covers_what_its_predicate_keeps(owner: Any) -> None:
    filled(owner, X[:200], index="hnsw (v vector_l2_ops) WHERE id % 2 = 0")
    index = attached()
    index.configure({})
    asked(index)
    state = index.state()
    assert (state.rows, state.indexed_rows, state.path) == (200, 100, "full scan")
    index.close()


def test_an_index_that_is_not_valid_is_told(owner: Any) -> None:
    filled(owner)
    owner.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'items_v'::regclass")
    index = attached()
    index.configure({})
    asked(index)
    state = index.state()
    assert (state.trained, state.indexed_rows, state.path) == (False, None, "full scan")
    assert state.told.endswith("; the index items_v is not valid")
    index.close()


def test_of_several_indexes_the_one_that_the_planner_takes_is_looked_at(owner: Any) -> None:
    filled(owner, index="ivfflat (v vector_l2_ops) WITH (lists = 1)")
    owner.execute("CREATE INDEX other ON items USING hnsw (v vector_l2_ops) WITH (m = 8)")
    index = attached()
    assert set(index.configure({})) >= {"ef_search"}
    asked(index)
    state = index.state()
    assert state.kind.startswith("hnsw (m=8)")
    assert "using other" in state.told
    index.close()


def test_a_table_in_partitions(owner: Any) -> None:
    owner.execute(f"CREATE TABLE items (id bigint PRIMARY KEY, v vector({DIMENSIONS})) PARTITION BY RANGE (id)")
    owner.execute("CREATE TABLE low PARTITION OF items FOR VALUES FROM (0) TO (2000)")
    owner.execute("CREATE TABLE high PARTITION OF items FOR VALUES FROM (2000) TO (9000)")
    with owner.cursor().copy("COPY items FROM STDIN") as copy:
        for number, row in enumerate(X):
            copy.write_row((number, str(row.tolist())))
    owner.execute("CREATE INDEX ON items USING hnsw (v vector_l2_ops) WITH (m = 8, ef_construction = 32)")
    owner.execute("ANALYZE items")
    index = attached()
    index.configure({"ef_search": 20})
    assert hits(asked(index), nearest(X, Q, "l2")) > 0.4
    state = index.state()
    assert (state.rows, state.indexed_rows, state.path) == (len(X), len(X), "index")
    assert "Merge Append > Index Scan" in state.told
    assert index.cost() == {}
    index.close()


def test_columns_without_a_length_and_halves(owner: Any) -> None:
    filled(owner, X[:100], vector_type="halfvec", index=None)
    index = attached()
    assert index.stored.element.width == DIMENSIONS
    assert asked(index) == nearest(X[:100].astype(np.float16), Q.astype(np.float16), "l2")
    assert index.state().exhaustive is True
    index.close()
    owner.execute("CREATE TABLE empty (id int, v vector)")
    with pytest.raises(InputError, match="empty holds no vector"):
        attached(name="empty?id=id&vector=v")


def test_bits(owner: Any) -> None:
    codes = np.random.default_rng(0).integers(0, 256, size=(100, 2)).astype(np.uint8) & np.array([255, 0xC0], np.uint8)
    owner.execute("CREATE TABLE codes (id int PRIMARY KEY, v bit(10))")
    for number, row in enumerate(codes):
        owner.execute("INSERT INTO codes VALUES (%s, %s::bit(10))", [number, "".join(f"{b:08b}" for b in row)[:10]])
    index = attached("hamming", "codes?id=id&vector=v")
    firsts = [own[0] for own in asked(index, codes)]
    assert (codes[firsts] == codes).all()
    index.close()


def test_the_defaults_are_those_of_the_session(owner: Any) -> None:
    filled(owner, X[:50])
    owner.execute('ALTER DATABASE "of a test" SET hnsw.ef_search = 123')
    index = attached()
    assert index.configure({"iterative_scan": "strict_order"})["ef_search"] == 123
    index.close()


def test_attaching_never_writes(
    owner: Any, database: str, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(owner)
    owner.execute("DROP ROLE IF EXISTS looker; CREATE ROLE looker LOGIN; GRANT SELECT ON items TO looker")
    facts = (
        "SELECT (SELECT array_agg(DISTINCT xmin::text || xmax::text) FROM items), (SELECT array_agg((oid, relfilenode,"
        " xmin, reloptions)::text ORDER BY oid) FROM pg_class WHERE relname LIKE 'items%%'),"
        " (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_namespace)"
    )
    before = owner.execute(facts, []).fetchone()
    monkeypatch.setenv("PGUSER", "looker")
    index = attached()
    index.configure({"ef_search": 20})
    index.reset_cost()
    asked(index)
    index.exact(index.prepare(Q[:1]), K)
    assert (index.cost()["index_scans"], index.cost()["sequential_scans"]) == (20, 1)
    index.state()
    index.close()
    monkeypatch.setenv("PGUSER", OWNER)
    index = attached()
    for statement in ("CREATE TABLE t ()", "DELETE FROM items", "DROP INDEX items_v", "UPDATE items SET id = id"):
        with pytest.raises(EngineFailed, match="read-only transaction"):
            index.callers.idle[0].rows(statement)
    with pytest.raises(Incapable):
        index.delete([1])
    with pytest.raises(Incapable):
        index.update([1], X[:1])
    with pytest.raises(Incapable):
        index.save(Path("nowhere"))
    index.close()
    assert owner.execute(facts, []).fetchone() == before
    owner.execute("REVOKE ALL ON items FROM looker; DROP ROLE looker")


def test_statements_have_a_time_limit(owner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(owner, X[:50])
    index = attached()
    assert index.callers.idle[0].rows("SHOW statement_timeout") == [("5min",)]
    index.close()
    monkeypatch.setenv("PGOPTIONS", "-c statement_timeout=200ms")
    index = attached()
    index.configure({})
    owner.execute("BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE")
    for _ in range(2):
        with pytest.raises(EngineFailed, match="statement timeout; where it took too long, set PGOPTIONS"):
            asked(index, Q[:1])
    owner.execute("ROLLBACK")
    assert asked(index) == nearest(X[:50], Q, "l2")
    index.close()


def test_over_tcp_with_a_password_in_a_file_that_is_never_shown(
    owner: Any, database: str, postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(owner, X[:50])
    owner.execute(f"CREATE ROLE remote LOGIN PASSWORD '{SECRET}'; GRANT SELECT ON items TO remote")
    file, place = tmp_path / "dsn", f"127.0.0.1:{postgres_server.port}/{database.replace(' ', '%20')}"
    try:
        file.write_text(f"postgresql://remote:{SECRET}@{place}")
        index = attached(place=Place(tmp_path, file))
        index.configure({})
        assert asked(index) == nearest(X[:50], Q, "l2")
        assert index.callers.idle[0].connection.info.host == "127.0.0.1"
        assert SECRET not in repr(index.state())
        index.close()
        file.write_text(f"postgresql://remote:{SECRET}x@{place}")
        with pytest.raises(EngineFailed) as caught:
            attached(place=Place(tmp_path, file))
        assert SECRET not in str(caught.value)
        monkeypatch.setenv("PGHOST", "127.0.0.1")
        monkeypatch.setenv("PGUSER", "remote")
        monkeypatch.setenv("PGPASSWORD", SECRET + "y")
        for call in (attached, lambda: engine.source("items?id=id&vector=v", place=Place(tmp_path))):
            with pytest.raises(TruerecallError) as refused:
                call()
            assert SECRET not in str(refused.value)
    finally:
        owner.execute("REVOKE ALL ON items FROM remote; DROP ROLE remote")


def test_a_table_that_may_not_be_read(owner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(owner, X[:50])
    owner.execute("CREATE ROLE stranger LOGIN")
    try:
        monkeypatch.setenv("PGUSER", "stranger")
        index = attached()
        with pytest.raises(EngineFailed, match="permission denied for table items; have the right granted"):
            asked(index, Q[:1])
        assert index.state().path is None
        index.close()
    finally:
        owner.execute("DROP ROLE stranger")
