"""pgvector in a real server: what is built, how it is asked, and how each of its traps shows."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread, Timer
from typing import Any

import numpy as np
import psycopg
import pytest

from tests.engines.pgvectors import DIMENSIONS, NOWHERE, ROWS, K, Q, X, asked, built, hits, nearest
from tests.postgres import Server, running_server
from truerecall import shelf
from truerecall.engines import pgvector
from truerecall.engines.pgvector import engine
from truerecall.errors import EngineFailed, InputError, UnknownName
from truerecall.kernels.distances import pair_distances
from truerecall.model.engine import Settings
from truerecall.model.source import ArraySource

BITS, BIT_QUERIES = (
    np.packbits(np.random.default_rng(seed).random((rows, 61)) < 0.5, axis=1) for seed, rows in ((3, ROWS), (4, 20))
)
BUILDS = [
    ("l2", {}),
    ("l2", {"index": "ivfflat", "lists": 20}),
    ("l2", {"type": "halfvec", "m": 8, "ef_construction": 32}),
    ("ip", {}),
    ("ip", {"index": "ivfflat", "lists": 20, "type": "halfvec"}),
    ("cosine", {}),
    ("cosine", {"index": "ivfflat", "lists": 20}),
    ("l1", {}),
    ("l1", {"type": "halfvec"}),
    ("hamming", {}),
    ("hamming", {"index": "ivfflat", "lists": 20}),
]
OFFERED = {
    "hnsw": {"ef_search", "iterative_scan", "max_scan_tuples", "scan_mem_multiplier"},
    "ivfflat": {"probes", "iterative_scan", "max_probes"},
}


def test_it_stands_on_its_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shelf.engines.get("pgvector") is engine
    assert engine.version() == f"psycopg {psycopg.__version__}"
    monkeypatch.setattr(pgvector, "installed", lambda _: None)
    assert engine.version() is None


def test_without_the_library_it_is_listed_and_the_extra_is_named() -> None:
    script = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from pathlib import Path\n"
        "from truerecall.engines.pgvector import engine\n"
        "from truerecall.model.engine import Place\n"
        "print(engine.search_settings({}, distance='l2', dimensions=4)[0].name)\n"
        "try: engine.attach('t?id=id&vector=v', 'l2', place=Place(Path('x')))\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "ef_search",
        "MissingExtra psycopg is not installed; run: pip install 'truerecall[postgres]'",
    ]


@pytest.mark.parametrize(("distance", "settings"), BUILDS)
def test_every_kind_builds_searches_saves_and_loads(
    distance: str, settings: dict[str, Any], database: str, tmp_path: Path
) -> None:
    of_bits: tuple[Any, Any, int | None] = BITS, BIT_QUERIES, 61
    rows, queries, bits = of_bits if distance == "hamming" else (X, Q, None)
    before = rows.copy()
    method = str(settings.get("index", "hnsw"))
    kind = "bit" if bits else str(settings.get("type", "vector"))
    truth = nearest(rows, queries, distance)
    index = built(distance, rows, bits, **settings)
    assert index.answers == "rows"
    offered = engine.search_settings(settings, distance=distance, dimensions=rows.shape[1])
    assert {setting.name for setting in offered} == OFFERED[method]
    assert index.configure({}) == {setting.name: setting.default for setting in offered}
    index.configure({"ef_search": 50} if method == "hnsw" else {"probes": 5})
    found = asked(index, queries)
    state = index.state()
    options = "lists=20" if method == "ivfflat" else "m=8, ef_construction=32"
    assert state.kind.startswith(f"{method} ({options}")
    assert state.kind.endswith(f" on {kind}({bits or DIMENSIONS})")
    assert (state.rows, state.indexed_rows, state.trained, state.exact_by_design) == (ROWS, ROWS, True, False)
    assert (state.path, state.exhaustive) == ("index", False)
    assert state.told.startswith("pgvector 0.8")
    assert state.told.endswith(": Limit > Index Scan using vector_index on rows")
    assert state.transform == ("cast from float32 to halfvec" if kind == "halfvec" else "none")
    best = nearness(distance, rows, queries, truth)
    assert nearness(distance, rows, queries, found) < best + 0.1 * abs(best)
    prepared = index.prepare(queries)
    exact = [list(index.exact(prepared[i : i + 1], K)) for i in range(len(prepared))]
    slack = 0.01 if kind == "halfvec" else 1e-6
    assert abs(nearness(distance, rows, queries, exact) - best) < slack
    assert [list(own) for own in index.search_batch(prepared, K)] == found
    assert (rows == before).all()
    index.save(tmp_path / "index")
    index.close()
    source = ArraySource(rows, bits=bits)
    loaded = engine.load(tmp_path / "index", source, distance, settings, threads=1, place=NOWHERE)
    loaded.configure({"ef_search": 50} if method == "hnsw" else {"probes": 5})
    assert asked(loaded, queries) == found
    assert loaded.state() == state
    loaded.close()


@pytest.mark.parametrize(
    ("settings", "distance", "dimensions", "words"),
    [
        ({"lists": 10}, "l2", 4, "lists means nothing to hnsw"),
        ({"index": "ivfflat", "m": 4}, "l2", 4, "m means nothing to ivfflat"),
        ({"index": "diskann"}, "l2", 4, "unknown index diskann; known are: hnsw, ivfflat"),
        ({"index": "ivfflat"}, "l1", 4, "ivfflat has no l1"),
        ({"type": "bit"}, "l2", 4, "unknown type bit; known are: halfvec, vector"),
        ({"type": "halfvec"}, "hamming", 4, "unknown type halfvec; known are: bit"),
        ({"m": 40}, "l2", 4, "ef_construction is 64 and m is 40"),
        ({"m": 1}, "l2", 4, "m is 1; give a whole number from 2 to 100"),
        ({}, "l2", 2001, "takes up to 2000 dimensions and these are 2001; set type to halfvec"),
        ({"type": "halfvec"}, "l2", 4001, "takes up to 4000 dimensions"),
        ({"ef_constuction": 40}, "l2", 4, "did you mean ef_construction"),
    ],
)
def test_an_impossible_build_is_refused_before_it_begins(
    settings: Settings, distance: str, dimensions: int, words: str
) -> None:
    with pytest.raises(InputError) as caught:
        engine.search_settings(settings, distance=distance, dimensions=dimensions)
    assert words in str(caught.value)


def test_an_unknown_setting_or_value_is_refused(database: str) -> None:
    index = built()
    for settings, error, words in (
        ({"ef_serch": 40}, UnknownName, "did you mean ef_search"),
        ({"probes": 4}, UnknownName, "unknown setting probes"),
        ({"ef_search": 5000}, InputError, "ef_search is 5000; give a whole number from 1 to 1000"),
        ({"iterative_scan": "sideways"}, InputError, "unknown iterative_scan sideways"),
    ):
        with pytest.raises(error, match=words):
            index.configure(settings)
    lists = built(index="ivfflat", lists=10)
    with pytest.raises(InputError, match="unknown iterative_scan strict_order; known are: off, relaxed_order"):
        lists.configure({"iterative_scan": "strict_order"})
    with pytest.raises(InputError, match="probes is 11; give a whole number from 1 to 10"):
        lists.configure({"probes": 11})
    index.close()
    lists.close()


def test_what_is_not_given_goes_back_to_its_default(database: str) -> None:
    index = built()
    assert index.configure({"EF-search": 80, "iterative_scan": "relaxed_order"})["ef_search"] == 80
    assert index.configure({"max_scan_tuples": 100}) == {
        "ef_search": 40, "iterative_scan": "off", "max_scan_tuples": 100, "scan_mem_multiplier": 1.0,
    }  # fmt: skip
    index.close()


def test_a_value_that_the_server_does_not_take_over_is_reported(database: str) -> None:
    index = built()
    with pytest.raises(EngineFailed, match=r"hnsw.scan_mem_multiplier was set to 1.00000001 and is 1.0"):
        index.configure({"scan_mem_multiplier": 1.00000001})
    index.close()


def test_a_setting_that_is_lost_on_the_way_is_reported(database: str) -> None:
    """As through a pooler, which gives the next statement another session."""
    index = built()
    index.configure({"ef_search": 80})
    asked(index)
    index.callers.idle[0].connection.execute("RESET ALL")
    with pytest.raises(EngineFailed, match=r"hnsw.ef_search was set to 80 and is 40; connect without a pooler"):
        index.state()
    index.close()


def test_a_setting_made_before_the_extension_was_loaded_is_forgotten_and_ours_is_not(
    database: str, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres_server.connect(database) as fresh:
        for statement in ("SET hnsw.ef_search = 5000", "SET hnsw.ef_serch = 5"):
            fresh.execute(statement)
        fresh.execute("SELECT '[1]'::vector")
        assert fresh.execute("SHOW hnsw.ef_search").fetchone() == ("40",)
    for given, held in (("5000", 40), ("77", 77)):
        monkeypatch.setenv("PGOPTIONS", f"-c hnsw.ef_search={given}")
        index = built()
        assert index.configure({})["ef_search"] == held
        assert index.configure({"ef_search": 50})["ef_search"] == 50
        assert index.callers.idle[0].rows("SHOW hnsw.ef_search") == [("50",)]
        index.close()


def test_probes_of_all_lists_is_a_sequential_scan(database: str) -> None:
    index = built(index="ivfflat", lists=20)
    truth = nearest(X, Q, "l2")
    seen = []
    for probes in (1, 5, 20):
        index.configure({"probes": probes})
        index.reset_cost()
        found = asked(index)
        state, cost = index.state(), index.cost()
        seen.append((state.path, state.exhaustive, cost["index_scans"], cost["sequential_scans"], hits(found, truth)))
    assert [own[:4] for own in seen] == [
        ("index", False, 20, 0), ("index", False, 20, 0), ("full scan", True, 0, 20),
    ]  # fmt: skip
    assert seen[0][4] < seen[1][4] < seen[2][4] == 1.0
    assert index.state().told.endswith("Limit > Sort > Seq Scan on rows")
    index.close()


def test_all_lists_through_the_index_are_every_row(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGOPTIONS", "-c enable_seqscan=off")
    index = built(index="ivfflat", lists=20)
    index.configure({"probes": 20})
    assert hits(asked(index), nearest(X, Q, "l2")) == 1.0
    assert (index.state().path, index.state().exhaustive) == ("index", True)
    index.close()


def test_so_is_an_ef_search_that_is_large_for_the_table(database: str) -> None:
    index = built()
    seen = []
    for ef_search in (40, 1000):
        index.configure({"ef_search": ef_search})
        asked(index)
        seen.append(index.state().path)
    assert seen == ["index", "full scan"]
    index.close()


def test_few_rows_are_scanned_past_the_index(database: str) -> None:
    index = built(rows=X[:50])
    index.configure({})
    assert asked(index) == nearest(X[:50], Q, "l2")
    assert (index.state().path, index.state().indexed_rows) == ("full scan", 50)
    index.close()


def test_ef_search_below_k_gives_short_answers_unless_the_scan_goes_on(database: str) -> None:
    (limiting,) = (s for s in engine.search_settings({}, distance="l2", dimensions=4) if s.limits_answers)
    assert limiting.name == "ef_search"
    index = built()
    index.configure({"ef_search": 10})
    assert {len(own) for own in asked(index, k=50)} == {10}
    assert index.state().path == "index"
    index.configure({"ef_search": 10, "iterative_scan": "strict_order"})
    assert {len(own) for own in asked(index, k=50)} == {50}
    index.close()


def test_the_plan_that_is_told_is_the_one_that_ran_because_nothing_is_prepared(database: str) -> None:
    index = built()
    index.configure({"ef_search": 50})
    for k, path in ((K, "index"), (ROWS, "full scan")):
        index.reset_cost()
        asked(index, k=k)
        cost, state = index.cost(), index.state()
        assert state.path == path
        assert cost["index_scans"] == (20 if path == "index" else 0)
        assert cost["sequential_scans"] == 20 - cost["index_scans"]
    session = index.callers.idle[0]
    assert session.rows("SELECT count(*) FROM pg_prepared_statements") == [(0,)]
    # A statement that PostgreSQL plans once for all values does not know the LIMIT, and goes another way.
    name = f'"{index.schema}".rows'
    session.connection.execute(f"PREPARE once(vector, bigint) AS SELECT id FROM {name} ORDER BY vector <-> $1 LIMIT $2")
    taken = {}
    for mode in ("force_custom_plan", "force_generic_plan"):
        session.connection.execute(f"SET plan_cache_mode = {mode}")
        vector = "[" + ",".join(map(str, Q[0].tolist())) + "]"
        explained = session.connection.execute(f"EXPLAIN (FORMAT JSON) EXECUTE once('{vector}', {ROWS})").fetchone()
        taken[mode] = explained[0][0]["Plan"]["Plans"][0]["Node Type"]
    assert taken == {"force_custom_plan": "Sort", "force_generic_plan": "Index Scan"}
    index.close()


def test_the_counters_are_of_this_index_and_empty_where_others_scan_too(database: str, postgres_server: Server) -> None:
    index = built()
    assert index.cost() == {}
    spent = []
    for ef_search in (10, 50):
        index.configure({"ef_search": ef_search})
        index.reset_cost()
        asked(index)
        index.search_batch(index.prepare(Q[:3]), K)
        spent.append(index.cost())
    assert [own["index_scans"] for own in spent] == [23, 23]
    assert 0 < spent[0]["index_pages"] < spent[1]["index_pages"]
    assert spent[0]["table_pages"] > 0
    index.reset_cost()
    assert set(index.cost().values()) == {0}
    asked(index)
    with postgres_server.connect(database) as other:
        other.execute(f'SELECT count(vector) FROM "{index.schema}".rows')
        other.execute("SELECT pg_stat_force_next_flush()")
    assert index.cost() == {}
    index.close()


def test_more_effort_finds_more(database: str) -> None:
    index = built(m=4, ef_construction=16)
    truth = nearest(X, Q, "l2")
    seen = []
    for ef_search in (10, 40, 400):
        assert index.configure({"ef_search": ef_search})["ef_search"] == ef_search
        seen.append(hits(asked(index), truth))
    assert seen[0] < seen[1] < seen[2]
    index.close()


def test_deletes_and_updates_are_reflected(database: str) -> None:
    index = built()
    index.configure({"ef_search": 200})
    first = asked(index, X[:1])[0]
    index.delete(np.array(first[:2]))
    assert index.state().rows == index.state().indexed_rows == ROWS - 2
    assert not set(first[:2]) & set(asked(index, X[:1])[0])
    index.update(np.array([7, 9]), X[:1].repeat(2, axis=0))
    assert set(asked(index, X[:1])[0][:2]) == {7, 9}
    index.close()


def test_several_callers_have_a_connection_each_with_the_same_settings(database: str) -> None:
    index = built()
    index.configure({"ef_search": 300})
    wanted = asked(index)
    found: dict[int, Any] = {}

    def work(caller: int) -> None:
        found[caller] = asked(index)

    threads = [Thread(target=work, args=(caller,)) for caller in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(4), wanted)
    assert 1 < len(index.callers.everyone) <= 4
    index.configure({"ef_search": 20})
    assert {session.rows("SHOW hnsw.ef_search")[0] for session in index.callers.everyone} == {("20",)}
    index.close()
    assert all(session.connection.closed for session in index.callers.everyone)


def test_what_float32_or_a_half_cannot_hold_is_refused_and_nothing_is_left(
    database: str, postgres_server: Server
) -> None:
    large, strange = X[:50] * np.float32(1e6), X[:50].astype(np.float64)
    strange[7, 3] = np.nan
    cases: list[tuple[Any, dict[str, Any], str]] = [
        (large, {"type": "halfvec"}, "beyond 6.55e[+]04, the largest of halfvec; scale"),
        (X[:50].astype(np.float64) * 1e39, {}, "beyond 3.4e[+]38, the largest of vector"),
        (strange, {}, "NaN not allowed in vector"),
    ]
    for rows, settings, words in cases:
        with pytest.raises(InputError, match=words):
            built(rows=rows, **settings)
    assert own_schemas(postgres_server, database) == []


def test_a_wider_type_is_cast_and_declared(database: str) -> None:
    wide = X[:200].astype(np.float64) + 1e-12
    index = built(rows=wide)
    index.configure({})
    asked(index)
    state = index.state()
    assert (state.transform, state.path, state.exhaustive) == ("cast from float64 to vector", "full scan", False)
    index.close()


def test_what_was_not_saved_is_gone_when_it_is_closed(database: str, postgres_server: Server, tmp_path: Path) -> None:
    first, second = built(rows=X[:50]), built(rows=X[:50])
    assert sorted(own_schemas(postgres_server, database)) == sorted([first.schema, second.schema])
    second.save(tmp_path / "index")
    first.close()
    second.close()
    assert own_schemas(postgres_server, database) == [second.schema]


def test_a_file_that_finds_no_index_or_another(database: str, postgres_server: Server, tmp_path: Path) -> None:
    def load(rows: Any = X[:50]) -> None:
        engine.load(tmp_path / "index", ArraySource(rows), "l2", {}, threads=1, place=NOWHERE)

    (tmp_path / "index").write_text("nothing of the kind")
    with pytest.raises(InputError, match="is no index of pgvector"):
        load()
    index = built(rows=X[:50])
    index.save(tmp_path / "index")
    with pytest.raises(InputError, match=f"holds 50 rows of {DIMENSIONS} dimensions and array 49"):
        load(X[:49])
    with postgres_server.connect(database) as owner:
        owner.execute(f'REINDEX INDEX "{index.schema}".vector_index')
        with pytest.raises(InputError, match="was made anew"):
            load()
        owner.execute(f'DROP SCHEMA "{index.schema}" CASCADE')
    with pytest.raises(InputError, match=r"there is no table truerecall_\w+.rows"):
        load()
    index.close()


def test_threads_build_together(database: str) -> None:
    index = built(threads=2)
    index.configure({})
    assert hits(asked(index), nearest(X, Q, "l2")) > 0.5
    index.close()


def test_a_server_killed_in_the_middle_fails_each_query_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    with running_server() as server:
        for variable, value in server.environment("template1").items():
            monkeypatch.setenv(variable, value)
        index = built(rows=X[:200])
        index.configure({})
        index.reset_cost()
        assert len(asked(index)) == 20
        postmaster = int((server.folder / "data" / "postmaster.pid").read_text().splitlines()[0])
        with server.connect("template1") as other:
            other.execute(f'BEGIN; LOCK TABLE "{index.schema}".rows IN ACCESS EXCLUSIVE MODE')
            Timer(0.3, lambda: os.kill(postmaster, signal.SIGQUIT)).start()
            with pytest.raises(EngineFailed, match="PostgreSQL broke off"):  # waits until the server goes
                asked(index, Q[:1])
            other.close()
        for _ in range(3):
            with pytest.raises(EngineFailed, match="PostgreSQL"):
                asked(index, Q[:1])
        with pytest.raises(EngineFailed, match="PostgreSQL"):
            index.search_batch(index.prepare(Q), K)
        state = index.state()
        assert (state.indexed_rows, state.path, state.exhaustive) == (None, None, None)
        assert "PostgreSQL" in state.told
        assert index.cost() == {}
        index.close()


def test_a_database_without_the_extension_is_named(
    database: str, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGDATABASE", "postgres")
    with pytest.raises(InputError, match="the database postgres has no pgvector; run there: CREATE EXTENSION vector"):
        built()


def test_the_extension_may_lie_in_any_schema(database: str, postgres_server: Server) -> None:
    with postgres_server.connect(database) as owner:
        owner.execute('CREATE SCHEMA "ext%s"; ALTER EXTENSION vector SET SCHEMA "ext%s"')
    for distance in ("l2", "cosine"):
        index = built(distance)
        index.configure({"ef_search": 100})  # the server draws the graph, and no seed reaches it
        assert hits(asked(index), nearest(X, Q, distance)) > 0.7
        assert (index.state().path, index.state().indexed_rows) == ("index", ROWS)
        index.close()


def own_schemas(server: Server, database: str) -> list[str]:
    with server.connect(database) as connection:
        found = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'truerecall%'").fetchall()
    return [name for (name,) in found]


def nearness(distance: str, rows: Any, queries: Any, found: list[list[int]]) -> float:
    """The mean distance of what was found: where ties are many, ids do not tell."""
    assert {len(own) for own in found} == {K}
    return float(
        np.mean(
            [
                pair_distances(distance, np.repeat(q[None], K, 0), rows[own])
                for q, own in zip(queries, found, strict=True)
            ]
        )
    )
