"""Tables of vectors as corpora: streamed as one snapshot, with their ids; and the truth that comes of them."""

from __future__ import annotations

import gc
import json
import os
import pickle
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.pgvectors import DIMENSIONS, NOWHERE, K, Q, X, attached, filled
from tests.postgres import Server
from truerecall.cli.main import main
from truerecall.engines.pgvector import engine
from truerecall.errors import EngineFailed, InputError
from truerecall.kernels.distances import pair_distances
from truerecall.model.plan import EnginePlan, Plan
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.corpora import open_corpus
from truerecall.steps.sweep import checked_grid
from truerecall.steps.truth import build_truth
from truerecall.store.runs import load_run

NAME = "items?id=id&vector=v"
SHUFFLED = np.random.default_rng(5).permutation(len(X))
FIRST = 2**60


@pytest.fixture
def owner(database: str, postgres_server: Server) -> Any:
    """A connection as the owner of the tables."""
    with postgres_server.connect(database) as connection:
        yield connection


def opened(name: str = NAME) -> Corpus:
    return engine.source(name, place=NOWHERE)


def read(corpus: Corpus, rows: int = 700, start: int = 0) -> Any:
    blocks = [(first, block.copy()) for first, block in corpus.source.blocks(rows, start)]
    assert [first for first, _ in blocks] == list(range(start, corpus.source.rows, rows))
    return np.concatenate([block for _, block in blocks])


def test_blocks_and_rows_are_the_vectors_as_they_stand(owner: Any) -> None:
    filled(owner, X[SHUFFLED], ids=[FIRST + int(own) for own in SHUFFLED], index=None)
    corpus = opened()
    source = corpus.source
    assert (source.name, source.rows, source.dimensions) == (f"pgvector:{NAME}", len(X), DIMENSIONS)
    assert (source.dtype.name, source.bits, corpus.id_kind, corpus.files) == ("float32", None, "int64", None)
    assert (corpus.ids == FIRST + np.arange(len(X))).all()
    for rows, start in ((700, 0), (10_000, 0), (999, 1234)):
        assert (read(corpus, rows, start) == X[start:]).all()
    wanted = np.array([3999, 0, 17, 17, 5])
    assert (source.take(wanted) == X[wanted]).all()
    assert source.take(np.arange(0)).shape == (0, DIMENSIONS)
    blocks = source.blocks(100)
    next(blocks)
    assert (source.take(wanted) == X[wanted]).all()
    assert (next(blocks)[1] == X[100:200]).all()


def test_all_passes_see_one_moment_whatever_happens_meanwhile(owner: Any) -> None:
    filled(owner, X[:500], index=None)
    corpus = opened()
    before = read(corpus)
    owner.execute("DELETE FROM items WHERE id < 100; UPDATE items SET v = v + v")
    owner.execute("INSERT INTO items SELECT id + 10000, v FROM items")
    elsewhere = pickle.loads(pickle.dumps(corpus))
    for own in (corpus, elsewhere):
        assert (read(own) == before).all()
        assert (own.source.take(np.arange(500)) == before).all()
    assert opened().source.rows == 800


def test_a_source_that_nobody_holds_lets_go_of_its_transaction(owner: Any) -> None:
    filled(owner, X[:50], index=None)
    corpus: Corpus | None = opened()
    asking = "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'"
    assert owner.execute(asking).fetchone() == (1,)
    assert corpus is not None
    del corpus
    gc.collect()
    owner.execute("DROP TABLE items")  # waits until nobody reads it
    assert owner.execute(asking).fetchone() == (0,)


@pytest.mark.parametrize(
    ("id_type", "ids", "kind"),
    [
        ("integer", list(range(-100, 100)), "int64"),
        ("text", [f"ä %s {own:03}" for own in range(200)], "string"),
        ("uuid", [f"00000000-0000-4000-8000-{own:012x}" for own in range(200)], "string"),
    ],
)
def test_ids_of_other_types(owner: Any, id_type: str, ids: list[Any], kind: str) -> None:
    filled(owner, X[:200], ids=ids, id_type=id_type, index=None)
    corpus = opened()
    assert (corpus.id_kind, sorted(corpus.ids.tolist())) == (kind, sorted(ids))
    rows = [ids.index(own) for own in corpus.ids.tolist()]
    assert (read(corpus) == X[rows]).all()
    assert (corpus.source.take(np.array([5, 3])) == X[[rows[5], rows[3]]]).all()


def test_halves_and_bits_keep_their_type(owner: Any) -> None:
    filled(owner, X[:200], vector_type=f"halfvec({DIMENSIONS})", index=None)
    corpus = opened()
    assert corpus.source.dtype == np.float16
    assert (read(corpus) == X[:200].astype(np.float16)).all()
    owner.execute(
        "CREATE TABLE codes (id int, v bit(11)); INSERT INTO codes VALUES (7, B'10000000111'), (8, B'0'::bit(11))"
    )
    codes = opened("codes?id=id&vector=v")
    assert (codes.source.bits, codes.source.dimensions, codes.source.dtype.name) == (11, 2, "uint8")
    assert read(codes).tolist() == [[128, 0b11100000], [0, 0]]


def test_rows_without_a_vector_are_left_out_and_counted(owner: Any) -> None:
    filled(owner, [None, *X[:50], None], index=None)
    corpus = opened()
    assert corpus.source.name == f"pgvector:{NAME} (2 rows without a vector left out)"
    assert corpus.ids.tolist() == list(range(1, 51))
    assert (read(corpus) == X[:50]).all()


def test_what_is_no_corpus_is_refused(owner: Any) -> None:
    owner.execute("CREATE TABLE items (id int, v vector)")
    with pytest.raises(InputError, match="items holds no vector"):
        opened()
    owner.execute("INSERT INTO items VALUES (1, '[1,2]'), (1, '[3,4]')")
    with pytest.raises(InputError, match="1 surplus rows under 1 repeated ids"):
        opened()
    owner.execute("INSERT INTO items VALUES (NULL, '[1,2]')")
    with pytest.raises(InputError, match="has rows without an id"):
        opened()
    owner.execute("DELETE FROM items; INSERT INTO items VALUES (1, '[1,2]'), (2, '[1,2,3]')")
    with pytest.raises(InputError, match="vectors that have not all 2 dimensions"):
        read(opened())


def test_a_server_that_breaks_off_is_told(owner: Any) -> None:
    filled(owner, X[:50], index=None)
    corpus = opened()
    owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'")
    with pytest.raises(EngineFailed, match="PostgreSQL broke off"):
        read(corpus)


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine", "l1"])
@pytest.mark.parametrize("kind", ["vector", "halfvec"])
def test_the_truth_of_a_streamed_table_is_what_the_database_finds_without_its_index(
    owner: Any, distance: str, kind: str
) -> None:
    filled(
        owner,
        X[SHUFFLED],
        ids=[FIRST + int(own) for own in SHUFFLED],
        vector_type=f"{kind}({DIMENSIONS})",
        index=f"hnsw (v {kind}_{distance}_ops) WITH (m = 4, ef_construction = 8)",
    )
    corpus, queries = opened(), QuerySet(Q if kind == "vector" else Q.astype(np.float16))
    truth = build_truth(corpus, queries, distance, K).neighbors
    index = attached(distance)
    index.configure({})
    prepared = index.prepare(queries.vectors)
    differing = 0
    for query in range(len(Q)):
        found = index.exact(prepared[query : query + 1], K)
        wanted = truth.ids[truth.offsets[query] : truth.offsets[query + 1]]
        rows = X.astype(queries.dtype)[np.asarray(found) - FIRST]
        ours = truth.distances[truth.offsets[query] : truth.offsets[query + 1]]
        theirs = pair_distances(distance, np.repeat(queries.vectors[query : query + 1], K, 0), rows)
        # Place by place as near, up to what float32 loses: only ties may bear other ids.
        np.testing.assert_allclose(theirs, ours, rtol=1e-5, atol=1e-5)
        differing += len(set(found) ^ set(wanted))
    assert differing <= 2
    index.configure({"ef_search": 10})
    approximate = [list(index.search(prepared[query : query + 1], K)) for query in range(len(Q))]
    assert index.state().path == "index"
    assert sum(len(set(own) - set(truth.ids.tolist())) for own in approximate) > 0
    index.close()


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine", "l1"])
def test_rows_without_a_vector_and_vectors_of_zeros_are_told_and_do_not_part_the_two(
    owner: Any, distance: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("queries.npy", Q)
    zero = np.zeros((2, DIMENSIONS), np.float32)
    filled(owner, [None, *zero, *X[:300], None], index=f"hnsw (v vector_{distance}_ops)")
    sides = ["--corpus", f"pgvector:{NAME}", "--queries", "queries.npy"]
    build = ["truth", "build", sides[1], *sides[2:], "--distance", distance, "-k", "10", "--out", "t.parquet"]
    ask = ["truth", "verify", "t.parquet", *sides, "--all", "--ask", f"pgvector:{NAME}"]
    if distance == "cosine":
        assert main(build) == 2
        said = " ".join(capsys.readouterr().err.split())
        assert "(2 rows without a vector left out)" in said
        assert "cosine distance of a zero vector is undefined" in said
        build += ["--zero-vectors", "leave-out"]
    assert main(build) == 0
    capsys.readouterr()
    assert main([*ask, "--json"]) == 0
    opinion = json.loads(capsys.readouterr().out)["engine"]
    assert (opinion["asked"], opinion["same"] + opinion["as_near"], opinion["apart"]) == (len(Q), len(Q), 0)


def test_the_truth_of_bits_is_what_the_database_finds_without_its_index(
    owner: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(8)
    codes, asked = random.integers(0, 2, (400, 24), np.uint8), random.integers(0, 2, (9, 24), np.uint8)
    owner.execute("CREATE TABLE codes (id bigint PRIMARY KEY, v bit(24))")
    with owner.cursor().copy("COPY codes FROM STDIN") as copy:
        for row, own in enumerate(codes.tolist()):
            copy.write_row((FIRST + row, "".join(map(str, own))))
    owner.execute("CREATE INDEX ON codes USING hnsw (v bit_hamming_ops) WITH (m = 2, ef_construction = 4)")
    np.save("queries.npy", asked.astype(np.bool_))
    address = "pgvector:codes?id=id&vector=v"
    sides = ["--corpus", address, "--queries", "queries.npy"]
    build = ["truth", "build", address, *sides[2:], "--distance", "hamming", "-k", "10", "--out", "t.parquet"]
    assert main(build) == 0
    capsys.readouterr()
    assert main(["truth", "verify", "t.parquet", *sides, "--ask", address, "--json"]) == 0
    opinion = json.loads(capsys.readouterr().out)["engine"]
    assert (opinion["asked"], opinion["same"] + opinion["as_near"], opinion["apart"]) == (9, 9, 0)
    assert opinion["as_near"] > 0  # many rows tie at a cut of so few bits


def test_the_table_streams_through_little_memory(owner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(owner, X, index=None)
    monkeypatch.setattr("truerecall.engines._postgres_source.BYTES_AT_ONCE", X.nbytes // 40)
    source = opened().source
    tracemalloc.start()
    try:
        rows = sum(len(block) for _, block in source.blocks(len(X) // 40))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert rows == len(X)
    assert peak < X.nbytes / 2


def test_the_command_line_takes_a_table_for_a_corpus(
    owner: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    filled(owner, X[:300], index=None)
    np.save("base.npy", X[:300])
    np.save("ids.npy", np.arange(300))
    np.save("queries.npy", Q)
    asking = ["--queries", "queries.npy", "--distance", "l2", "-k", "5", "--json"]
    digests: list[str] = []
    for corpus in (["base.npy", "--ids", "ids.npy"], [f"pgvector:{NAME}"]):
        assert main(["truth", "build", *corpus, *asking, "--out", f"{len(digests)}.parquet"]) == 0
        digests.append(json.loads(capsys.readouterr().out)["digest"])
    assert digests[0] == digests[1]
    verify = ["truth", "verify", "1.parquet", "--corpus", f"pgvector:{NAME}", "--queries", "queries.npy"]
    assert main(verify) == 0
    assert main(["inspect", f"pgvector:{NAME}"]) == 0
    sample = ["sample", f"pgvector:{NAME}", "-n", "5", "--distance", "l2"]
    assert main([*sample, "--out", "drawn.parquet"]) == 0
    capsys.readouterr()
    for command, words in (
        ([*sample, "--out", "drawn.parquet", "--hold-out", "rest.parquet"], "stands for rows of files"),
        (["truth", "build", f"pgvector:{NAME}", "--ids", "ids.npy", *asking, "--out", "t.parquet"], "ids of its own"),
        (["truth", "build", "faiss:items", *asking, "--out", "t.parquet"], "faiss cannot give its vectors back"),
        (["truth", "build", "pgvectr:items", *asking, "--out", "t.parquet"], "pgvectr:items does not exist"),
    ):
        assert main(command) == 2
        assert words in capsys.readouterr().err


def test_a_run_over_a_streamed_table(
    owner: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    filled(owner, X[:3000], index=None)
    np.save("queries.npy", Q)
    flags = ["--engine", "pgvector", "--set", "index=ivfflat", "--set", "lists=20", "--vary", "probes=1,5,20"]
    vectors = ["--corpus", f"pgvector:{NAME}", "--queries", "queries.npy", "--distance", "l2", "-k", "10"]
    assert main(["run", *flags, *vectors, "--warmup", "0", "--out", "runs", "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    assert points[0]["scores"][0]["mean"] < points[1]["scores"][0]["mean"]
    assert points[2]["scores"] == []
    assert "index-not-used" in {finding["code"] for finding in points[2]["findings"]}
    states = [load_run(path).setup.state for path in sorted(Path("runs").glob("*probes*.parquet"))]
    assert sorted(str(state.path) for state in states) == ["full scan"] * 3 + ["index"] * 6  # three passes of each


def test_a_file_that_is_called_like_a_table_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("pgvector:x.npy", X[:5])
    assert open_corpus("pgvector:x.npy").source.rows == 5


def test_opening_a_file_loads_no_engine(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X[:5])
    script = (
        "import sys; from truerecall.steps.corpora import open_corpus\n"
        f"open_corpus({str(tmp_path / 'x.npy')!r}); print({{'psycopg', 'faiss'}} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.fixture
def columns(owner: Any) -> Any:
    """A table with attributes of every kind that can be compared, and one that cannot."""
    filled(owner, X[:2000])
    owner.execute(
        "ALTER TABLE items ADD g smallint, ADD price numeric(8, 2), ADD sold boolean, ADD colour varchar(20),"
        " ADD added timestamptz, ADD big bigint"
    )
    owner.execute(
        "UPDATE items SET g = id % 10, price = nullif(id % 7, 0) * 1.5, sold = id % 3 = 0,"
        " colour = CASE WHEN id % 4 = 0 THEN NULL ELSE 'c' || (id % 4) END, big = 9007199254740993 + id"
    )
    owner.execute("VACUUM FULL ANALYZE items")
    return owner


def test_columns_come_with_their_types_and_from_the_same_moment(columns: Any) -> None:
    corpus = opened()
    columns.execute("UPDATE items SET g = 99")
    assert corpus.attributes is not None
    found = corpus.attributes.read(["g", "price", "sold", "colour", "big"])
    kinds = {name: own.kind for name, own in found.columns.items()}
    assert kinds == {
        "g": "integers", "price": "floats", "sold": "booleans", "colour": "texts", "big": "integers",
    }  # fmt: skip
    rows = np.array([0, 1, 3, 14])
    assert found.columns["g"].of_rows(rows) == [0, 1, 3, 4]
    assert found.columns["price"].of_rows(rows) == [None, 1.5, 4.5, None]
    assert found.columns["sold"].of_rows(rows) == [True, False, True, False]
    assert found.columns["colour"].of_rows(rows) == [None, "c1", "c3", "c2"]
    assert found.columns["big"].of_rows(rows) == [9007199254740993 + int(row) for row in rows]
    for name, words in (("added", "is of type timestamp with time zone"), ("color", "did you mean colour")):
        with pytest.raises(InputError, match=words):
            corpus.attributes.read([name])


def test_a_run_behind_filters_over_an_index_of_others(
    columns: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PGOPTIONS", "-c enable_seqscan=off -c enable_bitmapscan=off")
    np.save("queries.npy", Q)
    vectors = ["--corpus", f"pgvector:{NAME}", "--queries", "queries.npy", "--distance", "l2", "-k", "10"]
    flags = ["--engine", "pgvector", "--attach", NAME, "--vary", "iterative_scan=off,strict_order"]
    filters = ["--filter", "g = 3", "--filter", "price < 5 AND colour IS NOT NULL"]
    assert main(["run", *flags, *vectors, *filters, "--warmup", "0", "--repeats", "1", "--out", "runs", "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    behind = {
        (point["settings"]["iterative_scan"], point["filter"]["text"]): point for point in points if point["filter"]
    }
    assert len(behind) == 4
    off, on = behind["off", "g = 3"], behind["strict_order", "g = 3"]
    assert off["filter"]["kept"] == 200
    assert "short-answers" in {finding["code"] for finding in off["findings"]}
    assert "short-answers" not in {finding["code"] for finding in on["findings"]}
    assert off["scores"][0]["mean"] < on["scores"][0]["mean"]
    assert not any(finding["code"] == "filter-ignored" for point in points for finding in point["findings"])
    drawn = ["--selectivity", "10", "--out", "others"]
    assert main(["run", *flags, *vectors, *drawn, "--repeats", "1"]) == 2
    assert "items does not take drawn_percent < 10" in capsys.readouterr().err


def test_an_index_of_another_table_is_found_out(
    owner: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    filled(owner, X[:1000], ids=range(5000, 6000))
    np.save("base.npy", X[:1000])
    np.save("queries.npy", Q)
    np.save("ids.npy", np.arange(1000))
    vectors = ["--corpus", "base.npy", "--ids", "ids.npy", "--queries", "queries.npy", "--distance", "l2", "-k", "10"]
    flags = ["--engine", "pgvector", "--attach", NAME, "--set", "ef_search=40", "--warmup", "0", "--repeats", "1"]
    assert main(["run", *flags, *vectors, "--out", "runs", "--json"]) == 3
    (point,) = json.loads(capsys.readouterr().out)["points"]
    assert "strange-ids" in {finding["code"] for finding in point["findings"]}
    assert point["scores"] == []


def test_the_exhaustive_search_of_the_database_is_a_second_opinion(
    columns: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("queries.npy", Q)
    vectors = ["--corpus", f"pgvector:{NAME}", "--queries", "queries.npy"]
    for number, distance in enumerate(("l2", "ip", "cosine", "l1")):
        built = ["truth", "build", f"pgvector:{NAME}", "--queries", "queries.npy", "--distance", distance, "-k", "10"]
        assert main([*built, "--out", f"{number}.parquet"]) == 0
        capsys.readouterr()
        assert main(["truth", "verify", f"{number}.parquet", *vectors, "--ask", f"pgvector:{NAME}", "--json"]) == 0
        opinion = json.loads(capsys.readouterr().out)["engine"]
        assert (opinion["engine"], opinion["asked"], opinion["apart"]) == ("pgvector", len(Q), 0)
        assert opinion["same"] + opinion["as_near"] == len(Q)
    narrow = ["--filter", "g = 3 OR price IS NULL"]
    assert main([*built, *narrow, "--out", "narrow.parquet"]) == 0
    verify = ["truth", "verify", "narrow.parquet", *vectors, *narrow, "--ask", f"pgvector:{NAME}"]
    assert main(verify) == 0
    assert "20 found the same rows; a second opinion, which changes nothing" in capsys.readouterr().out.replace(
        "\n", " "
    )


def test_what_a_truth_leaves_out_as_unusable_a_database_does_not_find_either(
    owner: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """pgvector sorts a zero vector, whose cosine distance is NaN, behind all others."""
    monkeypatch.chdir(tmp_path)
    vectors, queries = X[:300].copy(), Q.copy()
    vectors[[3, 250]], queries[1] = 0, 0
    filled(owner, vectors)
    np.save("queries.npy", queries)
    sides = ["--corpus", f"pgvector:{NAME}", "--queries", "queries.npy"]
    for k, apart in ((10, 0), (298, 0), (299, len(Q) - 1)):
        built = ["truth", "build", *sides[1:], "--distance", "cosine", "-k", str(k), "--out", f"{k}.parquet"]
        assert main([*built, "--zero-vectors", "leave-out"]) == 0
        capsys.readouterr()
        asked = ["truth", "verify", f"{k}.parquet", *sides, "--ask", f"pgvector:{NAME}"]
        assert main(asked) == (3 if apart else 0), k
        said = capsys.readouterr()
        if apart:
            assert f"for {apart} of {apart} queries" in said.err
            assert "for query 0 it found 299 rows and the truth lists 298" in said.err
        else:
            assert f"{len(Q) - 1} found the same rows" in said.out.replace("\n", " ")


def test_an_index_over_other_rows_is_of_another_opinion(
    columns: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("queries.npy", Q)
    np.save("base.npy", X[:2000])
    np.save("ids.npy", np.arange(2000))
    files = ["--queries", "queries.npy", "--ids", "ids.npy"]
    assert main(["truth", "build", "base.npy", *files, "--distance", "l2", "-k", "10", "--out", "t.parquet"]) == 0
    columns.execute("DELETE FROM items WHERE id % 2 = 0")
    verify = ["truth", "verify", "t.parquet", "--corpus", "base.npy", *files, "--ask"]
    capsys.readouterr()
    assert main([*verify, f"pgvector:{NAME}"]) == 3
    said = capsys.readouterr()
    assert "20 of 20 queries recomputed, all agree" in said.out
    assert "finds other neighbours by its own exhaustive search for 20 of 20 queries" in said.err
    for address, words in (
        ("base.npy", "names no index of an engine"),
        ("faiss:x", "faiss cannot attach to an index that exists"),
        ("milvus:x", "milvus cannot search exhaustively on demand"),
        ("pgvector:nowhere?id=id&vector=v", "there is no table nowhere"),
    ):
        assert main([*verify, address]) == 2
        assert words in capsys.readouterr().err


def test_prices_are_compared_as_the_truth_reads_them(
    columns: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A numeric of 19.99 is not the float64 that stands for it; compared as one it is."""
    monkeypatch.chdir(tmp_path)
    columns.execute("UPDATE items SET price = 19.99 WHERE id % 2 = 0; UPDATE items SET price = 20.01 WHERE id % 2 = 1")
    np.save("queries.npy", Q)
    vectors = ["--corpus", f"pgvector:{NAME}", "--queries", "queries.npy", "--distance", "l2", "-k", "10"]
    flags = ["--engine", "pgvector", "--attach", NAME, "--set", "iterative_scan=strict_order", "--warmup", "0"]
    filters = ["--filter", "price <= 19.99", "--filter", "price = 19.99", "--filter", "price > 19.99"]
    main(["run", *flags, *vectors, *filters, "--repeats", "1", "--out", "runs", "--json"])
    points = json.loads(capsys.readouterr().out)["points"]
    assert [point["filter"]["kept"] for point in points if point["filter"]] == [1000, 1000, 1000]
    found = {finding["code"] for point in points for finding in point["findings"]}
    assert not found & {"filter-ignored", "short-answers"}


def test_tables_of_one_name_on_two_servers_are_two_indexes(owner: Any, tmp_path: Path) -> None:
    filled(owner, X[:300])
    plan = Plan((), "l2", 5)
    own = [EnginePlan("pgvector", attach=NAME, dsn_file=tmp_path / name) for name in ("one", "two")]
    for section in own:
        section.dsn_file.write_text("host=" + os.environ["PGHOST"])  # type: ignore[union-attr]
    source = ArraySource(X[:300])
    digests = {checked_grid(plan, section, engine, source)[0].exists for section in own}
    assert len(digests) == 2
    before = checked_grid(plan, own[0], engine, source)[0].exists
    assert before in digests
    owner.execute("REINDEX INDEX items_v")
    assert checked_grid(plan, own[0], engine, source)[0].exists != before
