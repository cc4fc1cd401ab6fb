"""Truths in a table of a real PostgreSQL: what is written, what is refused, and that the database agrees with us."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from psycopg import sql

from tests.nouns import truth_of
from truerecall.errors import FormatError, InputError, NotAMeasurement, StaleTruth
from truerecall.model.ids import as_ids
from truerecall.model.progress import Silent
from truerecall.model.source import ArraySource
from truerecall.model.truth import APPROXIMATE, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.truth import build_truth
from truerecall.steps.truth_table import chosen_edition, export_to_table, import_from_table
from truerecall.steps.verify import verify_truth
from truerecall.store.postgres import Connection, Table, columns_of, connected
from truerecall.store.truth_table import Edition
from truerecall.store.truths import truth_artefact

TABLE = Table("recall_ground_truth")
OPERATORS = {"l2": "<->", "ip": "<#>", "cosine": "<=>"}
UUIDS = [str(UUID(int=value << 64)) for value in range(60)]


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with connected() as connection:
        yield connection


def sides(ids: Any = None, *, rows: int = 60, whole: bool = False) -> tuple[Corpus, QuerySet]:
    random = np.random.default_rng(8)
    shape = (rows + 7, 4)
    made = (random.integers(-3, 4, shape) if whole else random.normal(size=shape)).astype(np.float32)
    given = None if ids is None else as_ids(np.array(ids), what="a test")
    return Corpus(ArraySource(made[:rows]), given), QuerySet(made[rows:])


def export(truth: GroundTruth, connection: Connection, table: Table = TABLE) -> bool:
    return export_to_table(truth, connection, table, model="m", snapshot="s")


def rows_of(connection: Connection, table: Table = TABLE) -> list[tuple[Any, ...]]:
    query = sql.SQL("SELECT * FROM {} ORDER BY k, query_id").format(table.identifier)
    return connection.execute(query).fetchall()


def same(truth: GroundTruth, other: GroundTruth) -> bool:
    """Whether two truths hold the same lists of the same queries, bit by bit."""
    return all(
        left.dtype == right.dtype and left.tolist() == right.tolist()
        for left, right in (
            (truth.query_ids, other.query_ids),
            (truth.neighbors.ids, other.neighbors.ids),
            (truth.neighbors.offsets, other.neighbors.offsets),
            (truth.neighbors.distances, other.neighbors.distances),
        )
    )


def test_the_rows_of_a_table(connection: Connection) -> None:
    truth = replace(
        truth_of([[17, 5], [3]], k=2, eligible=[9, 1], query_ids=["b", "a"]),
        reasons={"allowed": "some"},
        provenance={"made": "2026-01-02T03:04:05+00:00"},
    )
    assert export(truth, connection)
    digest = truth_artefact(truth).content_digest
    query = (
        "SELECT model_version, snapshot_id, query_id, k, neighbor_ids, distances, truth_fingerprint,"
        " extract(epoch FROM generated_at)::bigint FROM recall_ground_truth ORDER BY query_id"
    )
    assert connection.execute(query).fetchall() == [
        ("m", "s", "a", 2, [3], [0.0], digest, 1767323045),
        ("m", "s", "b", 2, [17, 5], [0.0, 1.0], digest, 1767323045),
    ]
    key = (
        "SELECT array_agg(attname::text ORDER BY place)"
        " FROM pg_constraint, unnest(conkey) WITH ORDINALITY AS c(n, place)"
        " JOIN pg_attribute ON attnum = n WHERE contype = 'p' AND attrelid = conrelid"
        " AND conrelid = 'recall_ground_truth'::regclass"
    )
    assert connection.execute(key).fetchone() == (["model_version", "snapshot_id", "query_id", "k"],)


@pytest.mark.parametrize(
    ("ids", "column"),
    [
        (None, "bigint[]"),
        ([-(2**63), *range(1, 59), 2**63 - 1], "bigint[]"),
        (np.array([2**64 - 1 - row for row in range(60)], np.uint64), "numeric[]"),
        ([f'"; DROP TABLE x; -- {row} \\ {{,}} NULL ü\n' for row in range(60)], "text[]"),
        (UUIDS, "text[]"),
    ],
    ids=["row", "int64", "uint64", "string", "uuid"],
)
def test_ids_of_every_kind_go_out_and_come_back(ids: Any, column: str, connection: Connection) -> None:
    corpus, queries = sides(ids)
    truth = build_truth(corpus, queries, "l2", 5, model="m", snapshot="s")
    export(truth, connection)
    types = "SELECT pg_typeof(neighbor_ids)::text FROM recall_ground_truth LIMIT 1"
    assert connection.execute(types).fetchone() == (column,)
    back = import_from_table(connection, TABLE, corpus, queries, "l2")
    assert same(truth, back)
    assert back.state == "unproved"
    digest = truth_artefact(truth).content_digest
    assert back.provenance["exported"]["truth_fingerprint"] == digest
    _, verified = verify_truth(back, corpus, queries, sample=None)
    assert truth_artefact(verified).content_digest == digest


@pytest.mark.parametrize(
    ("ids", "asking", "found"),
    [
        (UUIDS, "smallint", "uuid"),
        (UUIDS, "numeric", "varchar(36)"),
        (None, "integer", "smallint"),
        (None, "text", "text"),
        (None, "bigint", "numeric(9,2)"),
    ],
)
def test_a_table_that_is_there_keeps_its_types(ids: Any, asking: str, found: str, connection: Connection) -> None:
    table = Table("own.Truths")
    connection.execute("CREATE SCHEMA own")
    connection.execute(
        "CREATE TABLE own.\"Truths\" (note text DEFAULT 'kept', model_version varchar(9), snapshot_id text,"
        f" query_id {asking}, k smallint, neighbor_ids {found}[], distances float8[], truth_fingerprint text,"
        " generated_at timestamptz, PRIMARY KEY (k, query_id, snapshot_id, model_version))"
    )
    corpus, queries = sides(ids)
    truth = build_truth(corpus, queries, "l2", 5)
    assert not export(truth, connection, table)
    assert same(truth, import_from_table(connection, table, corpus, queries, "l2"))


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ("DROP COLUMN distances", InputError, "has no column distances"),
        ("ALTER COLUMN distances TYPE real[]", InputError, r"distances in .* is real\[\], not double precision\[\]"),
        ("ALTER COLUMN query_id TYPE float8", InputError, "query_id .* is double precision, not bigint or"),
        ("ALTER COLUMN neighbor_ids TYPE bigint USING 1", InputError, "neighbor_ids .* is bigint, not"),
        ("DROP CONSTRAINT recall_ground_truth_pkey", InputError, "has no primary key"),
        ("ALTER COLUMN neighbor_ids TYPE smallint[]", InputError, "smallint out of range"),
        ("ALTER COLUMN model_version TYPE varchar(1)", InputError, "value too long"),
    ],
)
def test_tables_of_another_make_are_refused(
    change: str, error: type[Exception], words: str, connection: Connection
) -> None:
    truth = truth_of([[5], [40000]])
    export_to_table(truth, connection, TABLE, model="m", snapshot="old")
    connection.execute("DELETE FROM recall_ground_truth" if "smallint" in change else "SELECT 1")
    connection.execute(f"ALTER TABLE recall_ground_truth {change}")
    with pytest.raises(error, match=words), connected() as own:
        export_to_table(truth, own, TABLE, model="mm", snapshot="s")
    assert not connection.execute("SELECT FROM recall_ground_truth WHERE snapshot_id = 's'").fetchall()


def test_string_ids_are_not_respelt(connection: Connection) -> None:
    for column, strange in (("bigint", "007"), ("numeric", "1"), ("uuid", UUIDS[3].upper() + "A"), ("uuid", "x")):
        table = Table(f"t {column} {strange}")
        export(truth_of([[1]]), connection, table)
        connection.execute(sql.SQL("TRUNCATE {}").format(table.identifier))
        change = sql.SQL("ALTER TABLE {} ALTER neighbor_ids TYPE {} USING NULL").format(
            table.identifier,
            sql.SQL(f"{column}[]"),
        )
        connection.execute(change)
        with pytest.raises(InputError, match=f"holds {column} and the truth has the id '{strange}'"):
            export(truth_of([[strange]], dtype=str), connection, table)
        assert rows_of(connection, table) == []


def test_nul_cannot_be_held(database: str) -> None:
    with pytest.raises(InputError, match="0x00"), connected() as connection:
        export(truth_of([["a\0b"]], dtype=str), connection)
    with connected() as connection:
        assert not connection.execute("SELECT to_regclass('recall_ground_truth')").fetchall()[0][0]


def test_the_same_truth_may_be_written_again_and_another_may_not(connection: Connection) -> None:
    truth = truth_of([[1, 2], [3, 4]])
    export(truth, connection)
    later = replace(truth, provenance={"made": "2030-01-01T00:00:00+00:00"})
    assert not export(later, connection)
    before = rows_of(connection)
    assert [row[-1].year for row in before] == [2030, 2030]
    other = truth_of([[1, 2], [3, 5]])
    with pytest.raises(StaleTruth) as refused:
        export(other, connection)
    said = str(refused.value)
    assert "holds another truth of model 'm', snapshot 's', k 2: 2 queries, fingerprint" in said
    assert "made 2030-01-01" in said
    assert "under another --snapshot" in said
    with pytest.raises(StaleTruth):  # though it is of other queries
        export(truth_of([[1, 2]], query_ids=[77]), connection)
    assert rows_of(connection) == before
    export_to_table(other, connection, TABLE, model="m", snapshot="s2")
    export(truth_of([[1], [3]]), connection)
    assert len(rows_of(connection)) == 6


def test_rows_that_somebody_else_wrote_are_found(connection: Connection) -> None:
    truth = truth_of([[1, 2], [3, 4]])
    export(truth, connection)
    connection.execute("UPDATE recall_ground_truth SET query_id = 99 WHERE query_id = 1")
    with pytest.raises(StaleTruth, match="of the 2 queries 2 could be written, and 3 rows would stand"):
        export(truth, connection)
    assert [row[2] for row in rows_of(connection)] == [0, 99]


def test_writers_take_turns(connection: Connection, database: str) -> None:
    """Of two truths for one edition, written at once into no table yet, one stands whole and the other is refused."""
    outcomes: list[str] = []

    def write(last: int) -> None:
        try:
            with connected() as own:
                truth = truth_of([[query, 900] for query in range(300)] + [[1, last]])
                export(truth, own)
                outcomes.append("written")
        except StaleTruth:
            outcomes.append("refused")

    threads = [threading.Thread(target=write, args=[last]) for last in (2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused", "written"]
    assert len(rows_of(connection)) == 301
    assert len({row[6] for row in rows_of(connection)}) == 1


class Interrupted(Silent):
    """Work that the user ends at its fifth step."""

    steps = 0

    def advance(self, amount: int) -> None:
        self.steps += amount
        if self.steps == 5:
            raise KeyboardInterrupt


def test_an_interruption_leaves_all_as_it_was(connection: Connection) -> None:
    truth = truth_of([[query] for query in range(9)])
    with pytest.raises(KeyboardInterrupt), connected() as own:
        export_to_table(truth, own, TABLE, model="m", snapshot="first", progress=Interrupted())
    assert columns_of(connection, TABLE) == {}
    export(truth, connection)
    with pytest.raises(KeyboardInterrupt), connected() as own:
        export_to_table(truth, own, TABLE, model="m", snapshot="second", progress=Interrupted())
    assert {row[1] for row in rows_of(connection)} == {"s"}


def test_lists_that_are_cut_short_do_not_go_out(connection: Connection) -> None:
    truth = truth_of([[1, 2], [3]], k=2, query_ids=["ask-a", "ask-b"])
    with pytest.raises(FormatError, match=r"truncated pass: 1 of 2 lists .* \(query ask-b: 1 of 2\)"):
        export(truth, connection)
    with pytest.raises(NotAMeasurement, match="an index made these lists"):
        export(replace(truth_of([[1]]), state=APPROXIMATE), connection)
    assert not connection.execute("SELECT to_regclass('recall_ground_truth')").fetchall()[0][0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("DELETE FROM {} WHERE query_id = 3", r"1 of 7 queries of queries have no list \(first: 3\)"),
        ("UPDATE {} SET query_id = 70 WHERE query_id = 3", r"1 of 7 lists are of queries that are not .*first: 70"),
        (
            "UPDATE {} SET neighbor_ids = neighbor_ids[:4], distances = distances[:4] WHERE query_id = 3",
            r"truncated pass: 1 of 7 .*\(query 3: 4 of 5\)",
        ),
        (
            "UPDATE {} SET neighbor_ids = neighbor_ids[:4], distances = distances[:4]",
            r"truncated pass: 7 of 7 .*\(query 0: 4 of 5\)",
        ),
        ("UPDATE {} SET distances = distances[:4] WHERE query_id = 3", "the row of query 3 has"),
        ("UPDATE {} SET distances[2] = NULL WHERE query_id = 3", "the row of query 3 has NULL"),
        (
            "ALTER TABLE {} ALTER truth_fingerprint DROP NOT NULL; UPDATE {} SET truth_fingerprint = NULL"
            " WHERE query_id = 3",
            "the row of query 3 has NULL",
        ),
        ("UPDATE {} SET neighbor_ids[2] = NULL WHERE query_id = 3", "holds None among its ids"),
        ("UPDATE {} SET neighbor_ids[2] = 60 WHERE query_id = 3", "truth of a larger corpus"),
        ("UPDATE {} SET neighbor_ids[2] = neighbor_ids[1] WHERE query_id = 3", "hold an id twice"),
        ("UPDATE {} SET distances[2] = distances[2] + 0.01 WHERE query_id = 3", "1 of 35 distances do not agree"),
        ("UPDATE {} SET distances[2] = 'NaN' WHERE query_id = 3", "1 of 35 distances do not agree"),
        ("UPDATE {} SET truth_fingerprint = 'other' WHERE query_id = 3", "are of 2 truths, not of one"),
    ],
)
def test_a_table_that_was_changed_does_not_come_back(change: str, words: str, connection: Connection) -> None:
    corpus, queries = sides()
    export(build_truth(corpus, queries, "l2", 5), connection)
    connection.execute(change.replace("{}", "recall_ground_truth"))
    with pytest.raises((InputError, StaleTruth), match=words):
        import_from_table(connection, TABLE, corpus, queries, "l2")


def test_a_small_corpus_has_short_lists(connection: Connection) -> None:
    corpus, queries = sides(rows=3)
    truth = replace(build_truth(corpus, queries, "l2", 3), k=5)
    export(truth, connection)
    assert same(truth, import_from_table(connection, TABLE, corpus, queries, "l2"))


def test_numbers_that_are_not_whole_are_no_ids(connection: Connection) -> None:
    corpus, queries = sides()
    export(build_truth(corpus, queries, "l2", 5), connection)
    connection.execute("ALTER TABLE recall_ground_truth ALTER neighbor_ids TYPE numeric[]")
    for value in ("1.5", "'NaN'", "'Infinity'"):
        connection.execute(f"UPDATE recall_ground_truth SET neighbor_ids[2] = {value} WHERE query_id = 3")
        with pytest.raises(InputError, match="is no whole number"):
            import_from_table(connection, TABLE, corpus, queries, "l2")


def test_an_absent_or_strange_table_does_not_come_back(connection: Connection) -> None:
    corpus, queries = sides()
    with pytest.raises(InputError, match="there is no table recall_ground_truth"):
        import_from_table(connection, TABLE, corpus, queries, "l2")
    with pytest.raises(InputError, match="the table pg_class has no column model_version"):
        import_from_table(connection, Table("pg_class"), corpus, queries, "l2")


def test_which_edition_is_meant() -> None:
    found = [Edition("a", "1", 10), Edition("a", "1", 100), Edition("b", "1", 10)]

    def chosen(**named: Any) -> Edition:
        return chosen_edition(found, "t", **{"model": None, "snapshot": None, "k": None, **named})

    assert chosen(model="b") == found[2]
    assert chosen(k=100) == found[1]
    assert chosen(model="a", k=10) == found[0]
    assert chosen(model="a", k=7) == found[0]
    assert chosen(model="a", k=11) == found[1]
    for named, words in (
        ({}, "3 truths in t fit; it holds model 'a'"),
        ({"k": 10}, "3 truths in t fit"),
        ({"model": "a"}, "2 truths in t fit"),
        ({"model": "c"}, "no truth in t fits; it holds model 'a', snapshot '1', k 10; "),
        ({"snapshot": "2"}, "no truth"),
        ({"k": 101}, "no truth"),
    ):
        with pytest.raises(InputError, match=words):
            chosen(**named)
    with pytest.raises(InputError, match="no truth in t fits; it holds none"):
        chosen_edition([], "t", model=None, snapshot=None, k=None)


@pytest.mark.parametrize("name", ['"; DROP TABLE precious; --', "x'); DROP TABLE precious; --", "%s {} %(a)s", "\\"])
def test_hostile_names_are_names(name: str, connection: Connection) -> None:
    connection.execute("CREATE TABLE precious AS SELECT 1 AS a")
    corpus, queries = sides([f"{name} {row}" for row in range(60)])
    truth, table = build_truth(corpus, queries, "l2", 5), Table(name)
    export_to_table(truth, connection, table, model=name, snapshot=name)
    assert same(truth, import_from_table(connection, table, corpus, queries, "l2", model=name, snapshot=name, k=5))
    with pytest.raises(StaleTruth):
        export_to_table(replace(truth, state="unproved"), connection, table, model=name, snapshot=name)
    assert connection.execute("SELECT a FROM precious").fetchall() == [(1,)]
    tables = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1"
    assert {row[0] for row in connection.execute(tables)} == {"precious", name}


@pytest.mark.parametrize("distance", sorted(OPERATORS))
@pytest.mark.parametrize("whole", [False, True], ids=["real", "whole"])
def test_the_database_finds_the_same_neighbours(distance: str, whole: bool, connection: Connection) -> None:
    """pgvector, made to look at every row. Whole numbers it computes exactly, and many of them tie; of real ones it
    sums float32, so that rows within 1e-5 of the cut may change places."""
    rows, k = 600, 10
    corpus, queries = sides(rows=rows, whole=whole)
    kept = np.flatnonzero(np.abs(corpus.source.take(np.arange(rows))).any(axis=1))  # a zero vector has no cosine
    corpus = Corpus(ArraySource(corpus.source.take(kept)))
    asked = queries.vectors[np.abs(queries.vectors).any(axis=1)]
    truth = build_truth(corpus, QuerySet(asked), distance, k)
    export(truth, connection)
    vectors = corpus.source.take(np.arange(len(kept)))
    connection.execute(
        "CREATE TABLE items (id bigint, embedding vector(4)); CREATE TABLE asked (id bigint, q vector(4))"
    )
    for table, values in (("items", vectors), ("asked", asked)):
        insert = sql.SQL("INSERT INTO {} VALUES (%s, %s::real[])").format(sql.Identifier(table))
        connection.cursor().executemany(insert, ((row, value.tolist()) for row, value in enumerate(values)))
    connection.execute(f"CREATE INDEX ON items USING hnsw (embedding vector_{distance}_ops)")
    connection.execute("SET enable_indexscan = off")
    nearest = sql.SQL(
        "SELECT asked.id, array_agg(near.id ORDER BY near.d, near.id), array_agg(near.d ORDER BY near.d, near.id)"
        " FROM asked CROSS JOIN LATERAL (SELECT id, embedding {op} asked.q AS d FROM items"
        " ORDER BY embedding {op} asked.q, id LIMIT 10) AS near GROUP BY asked.id ORDER BY asked.id"
    ).format(op=sql.SQL(OPERATORS[distance]))
    plan = "\n".join(row[0] for row in connection.execute(sql.SQL("EXPLAIN ") + nearest))
    assert "Seq Scan on items" in plan
    assert "Index" not in plan
    found = connection.execute(nearest).fetchall()
    ours = connection.execute("SELECT query_id, neighbor_ids, distances FROM recall_ground_truth ORDER BY 1").fetchall()
    assert len(found) == len(ours) == len(asked)
    for (query, theirs, at), (same_query, ids, distances) in zip(found, ours, strict=True):
        assert query == same_query
        assert at == pytest.approx(distances, rel=1e-5, abs=1e-5)
        if whole and distance != "cosine":
            assert theirs == ids
        else:
            cut = distances[-1]
            clear = {own for own, value in zip(ids, distances, strict=True) if value < cut - 1e-5 * max(1, abs(cut))}
            assert clear <= set(theirs)
