"""The traps of each engine, end to end: a real engine is measured as a user would, and the finding says what happened.

What an adapter itself does about a trap (refuse it, cast, read settings back) stands in the tests of that engine:

    FAISS       -1 past k or for NaN, params of the wrong class, counters of the process     test_faiss
    hnswlib     raises below k, unit vectors under cosine, one thread repeats                test_hnswlib
    usearch     bfloat16 unless told, int8 scales, one query answered in another shape       test_usearch
    ScaNN       logs, a package of the same name, no cosine, a zero query                    test_scann
    pgvector    placeholders before the extension, prepared plans, lagging counters          test_pgvector
    pgvector    NULL and zero vectors, operators, partial and invalid indexes                test_pgvector_attach
    Qdrant      the local mode, green with nothing indexed, several vectors of a point       test_qdrant
    Qdrant Edge thresholds in KB, ids, what files tell of graphs                             test_qdrant_edge
    LanceDB     rounded counters, zeros under cosine, too few rows for codes, ef below k     test_lancedb
    Milvus      indexed counts that are none, kinds and settings it lacks, a killed server   test_milvus
    DuckDB      settings of one connection, conditions afterwards, deleted rows in the index test_duckdb
    sqlite-vec  no index to be had, 4096 neighbours, zeros under cosine                      test_sqlite_vec

A server that goes away in the middle of a run: tests/steps/test_servers_that_die.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.brute import X
from tests.engines.qdrant_stub import running_stub
from tests.postgres import Server
from truerecall import shelf
from truerecall.engines.pgvector import engine as pgvector
from truerecall.errors import InputError
from truerecall.model.curve import Curve, Point
from truerecall.model.engine import Place
from truerecall.model.filter import Filter
from truerecall.model.plan import EnginePlan, Plan
from truerecall.model.selectivity import share_filter
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.measurement import Inputs, measure

DRAW = np.random.default_rng(11)
NEAR = X[DRAW.integers(0, len(X), 200)] + 0.5 * DRAW.normal(size=(200, X.shape[1]))
CORPUS, QUERIES = Corpus(ArraySource(X)), QuerySet(NEAR.astype(np.float32))
TENTH = share_filter(10)


@dataclass(frozen=True)
class Trap:
    """``found``: under the value of the varied setting what must be found; None for every point. ``absent``: what must
    not be found at these."""

    engine: str
    fixed: dict[str, Any] = field(default_factory=dict)
    varied: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    found: dict[Any, set[str]] = field(default_factory=dict)
    absent: dict[Any, set[str]] = field(default_factory=dict)
    filters: tuple[Filter, ...] = ()
    distance: str = "l2"
    k: int = 10
    rows: int = len(X)


TRAPS = {
    "FAISS, product codes have a ceiling that no nprobe passes": Trap(
        "faiss", {"factory": "IVF64,PQ8x4"}, {"nprobe": (16, 32, 64)}, {None: {"recall-ceiling"}}
    ),
    "FAISS, and re-ranking by whole vectors lifts it": Trap(
        "faiss", {"factory": "IVF16,PQ8x4,RFlat", "nprobe": 16}, {"k_factor_rf": (1, 8, 64)},
        {1: set()}, {None: {"recall-ceiling"}},
    ),
    "FAISS, 8-bit codes in a graph": Trap(
        "faiss", {"factory": "HNSW32_SQ4"}, {"efSearch": (64, 128, 256)}, {None: {"recall-ceiling"}}
    ),
    "FAISS pads with -1, which is a short answer and no row": Trap(
        "faiss", {"factory": "IVF64,Flat"}, {"nprobe": (1, 64)},
        {1: {"short-answers"}}, {64: {"short-answers"}, None: {"unknown-ids", "padded-answers"}}, k=100,
    ),
    "FAISS, a flat index is exact by design": Trap("faiss", {"factory": "Flat"}, found={None: {"exact-by-design"}}),
    "usearch in int8 under l2": Trap(
        "usearch", {"dtype": "i8"}, {"expansion_search": (64, 128, 256)}, {None: {"recall-ceiling"}}
    ),
    "hnswlib gives k neighbours or none": Trap(
        "hnswlib", {"M": 2, "ef_construction": 2}, {"ef": (10,)}, {10: {"failed-queries"}}, k=1500
    ),
    "sqlite-vec has no index": Trap(
        "sqlite_vec", found={None: {"exact-by-design"}}, absent={None: {"index-not-used", "always-perfect"}}
    ),
    "numpy_flat is the reference": Trap("numpy_flat", found={None: {"exact-by-design"}}),
    "Qdrant Edge below its threshold builds no graph and says nothing": Trap(
        "qdrant_edge", {"indexing_threshold": 10**6}, {"hnsw_ef": (10, 100)}, {None: {"index-not-used"}}
    ),
    "Qdrant Edge below its other threshold has a graph and scans": Trap(
        "qdrant_edge", {"full_scan_threshold": 10**6}, {"hnsw_ef": (10, 100)}, {None: {"index-not-used"}}
    ),
    "DuckDB applies a condition to what the index found": Trap(
        "duckdb", filters=(TENTH,), found={None: {"short-answers"}}
    ),
    "LanceDB, a filter after the search": Trap(
        "lancedb", {"index_type": "IVF_FLAT", "num_partitions": 8}, {"prefilter": ("yes", "no")},
        {"no": {"short-answers"}}, {"yes": {"short-answers"}}, filters=(TENTH,),
    ),
    "LanceDB, product codes": Trap(
        "lancedb", {"index_type": "IVF_PQ", "num_partitions": 8, "num_sub_vectors": 4}, {"nprobes": (4, 8)},
        {None: {"recall-ceiling"}},
    ),
    "LanceDB, too few rows for codes make an index of nothing": Trap(
        "lancedb", {"index_type": "IVF_PQ", "num_partitions": 1}, found={None: {"index-not-used"}}, rows=100
    ),
    "LanceDB, an ef below what refining wants": Trap(
        "lancedb", {"index_type": "IVF_HNSW_SQ", "num_partitions": 1, "refine_factor": 5}, {"ef": (40, 50)},
        {40: {"failed-queries"}}, {50: {"failed-queries"}},
    ),
    "FAISS, IVF looks into one list unless it is told": Trap(
        "faiss", {"factory": "IVF64,Flat"}, found={None: {"short-answers"}}, k=100
    ),
    "FAISS, all lists are every row, and no ceiling": Trap(
        "faiss", {"factory": "IVF16,Flat"}, {"nprobe": (4, 8, 16)},
        absent={None: {"recall-ceiling"}, 16: {"exhaustive-below-one"}},
    ),
    "ScaNN answers short where its leaves hold fewer": Trap(
        "scann", {"num_leaves": 100}, {"leaves_to_search": (1, 100)},
        {1: {"short-answers"}}, {100: {"short-answers"}}, k=100,
    ),
    "DuckDB searches by its index": Trap(
        "duckdb", varied={"hnsw_ef_search": (10, 100)}, absent={None: {"index-not-used", "knob-without-effect"}}
    ),
    "Milvus AUTOINDEX is a graph that heeds ef, and no scan": Trap(
        "milvus", {"index_type": "AUTOINDEX"}, {"ef": (10, 40, 160)},
        absent={None: {"index-not-used", "exact-by-design", "always-perfect", "knob-without-effect"}},
    ),
    "Milvus FLAT is exact by design": Trap("milvus", {"index_type": "FLAT"}, found={None: {"exact-by-design"}}),
}  # fmt: skip


def measured(
    trap: Trap, out: Path, corpus: Corpus = CORPUS, attach: str = "", *, queries: QuerySet = QUERIES
) -> tuple[Curve, ...]:
    """The curves; behind a filter those alone."""
    if trap.rows < len(X):
        corpus = Corpus(ArraySource(X[: trap.rows]))
    own = EnginePlan(trap.engine, trap.fixed, trap.varied, attach)
    plan = Plan((own,), trap.distance, trap.k, warmup_calls=5, repeats=1, filters=trap.filters)
    curves, _ = measure(plan, Inputs(corpus, queries), out, isolation="none")
    return tuple(curve for curve in curves if bool(trap.filters) == (curve.points[0].run.setup.where is not None))


def codes(point: Point) -> set[str]:
    return {finding.code for finding in point.findings}


def check(trap: Trap, curves: tuple[Curve, ...]) -> None:
    name = next(iter(trap.varied), "")
    points = {point.run.setup.asked.get(name): point for curve in curves for point in curve.points}
    assert points
    for value, point in points.items():
        seen = codes(point)
        assert trap.found.get(value, set()) | trap.found.get(None, set()) <= seen, (value, seen)
        assert not (trap.absent.get(value, set()) | trap.absent.get(None, set())) & seen, (value, seen)


@pytest.mark.parametrize("name", TRAPS)
def test_an_engine_in_this_process(name: str, tmp_path: Path) -> None:
    trap = TRAPS[name]
    if shelf.engines.get(trap.engine).version() is None:
        pytest.skip(f"{trap.engine} is not installed")
    check(trap, measured(trap, tmp_path / "runs"))


Prepare = Callable[[Any], None]


def plain_table(owner: Any, index: str = "hnsw (v vector_l2_ops)", rows: Any = X) -> None:
    owner.execute(f"CREATE TABLE items (id bigint PRIMARY KEY, v vector({X.shape[1]}))")
    with owner.cursor().copy("COPY items FROM STDIN") as copy:
        for number, row in enumerate(rows):
            copy.write_row((number, str(row.tolist())))
    owner.execute(f"CREATE INDEX items_v ON items USING {index}")
    owner.execute("ANALYZE items")


POSTGRES = {
    "probes of all lists: the planner leaves the index": Trap(
        "pgvector", {"index": "ivfflat", "lists": 16}, {"probes": (1, 16)},
        {16: {"index-not-used"}}, {1: {"index-not-used"}},
    ),
    "few rows are scanned": Trap("pgvector", found={None: {"index-not-used"}}, rows=50),
    "an ef_search that is large for the table": Trap(
        "pgvector", {"m": 8, "ef_construction": 32}, {"ef_search": (40, 1000)},
        {1000: {"index-not-used"}}, {40: {"index-not-used"}},
    ),
    "ef_search below k": Trap(
        "pgvector", {"m": 8, "ef_construction": 32}, {"ef_search": (10, 60)},
        {10: {"effort-below-k", "short-answers"}}, {60: {"effort-below-k", "short-answers"}}, k=50,
    ),
    "a filter without and with an iterative scan": Trap(
        "pgvector", {"m": 8, "ef_construction": 32}, {"iterative_scan": ("off", "strict_order")},
        {"off": {"short-answers"}}, {"strict_order": {"short-answers"}, None: {"filter-ignored"}}, filters=(TENTH,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", POSTGRES)
def test_pgvector(name: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = POSTGRES[name]
    if trap.filters:  # a table so small would be scanned, as another trap shows
        monkeypatch.setenv("PGOPTIONS", "-c enable_seqscan=off -c enable_bitmapscan=off")
    check(trap, measured(trap, tmp_path / "runs"))


def test_pgvector_an_operator_that_does_not_fit_the_index(
    database: str, postgres_server: Server, tmp_path: Path
) -> None:
    with postgres_server.connect(database) as owner:
        plain_table(owner)
    trap = Trap("pgvector", distance="cosine", found={None: {"index-not-used"}})
    check(trap, measured(trap, tmp_path / "runs", attach="items?id=id&vector=v"))


def test_pgvector_null_and_zero_vectors_are_not_in_the_index(
    database: str, postgres_server: Server, tmp_path: Path
) -> None:
    with postgres_server.connect(database) as owner:
        plain_table(owner, "hnsw (v vector_cosine_ops)")
        owner.execute(f"INSERT INTO items VALUES (100001, NULL), (100002, '{np.zeros(X.shape[1]).tolist()}')")
    trap = Trap("pgvector", {"ef_search": 100}, distance="cosine", found={None: {"partly-indexed"}})
    curves = measured(trap, tmp_path / "runs", attach="items?id=id&vector=v")
    check(trap, curves)
    state = curves[0].points[0].run.setup.state
    assert (state.rows, state.indexed_rows) == (len(X) + 2, len(X))


def test_pgvector_a_setting_is_never_made_before_the_extension_is_loaded(database: str, tmp_path: Path) -> None:
    """PostgreSQL takes any value for any name then, and forgets it: 5000 would be accepted, and 40 in force."""
    index = pgvector.build(
        CORPUS.source, "l2", {"m": 8, "ef_construction": 32}, seed=0, threads=1, place=Place(tmp_path)
    )
    assert index.configure({"ef_search": 77})["ef_search"] == 77
    with index.callers.one() as session:
        assert session.rows("SHOW hnsw.ef_search") == [("77",)]
    index.close()


def lance_table(folder: Path, *, later: int = 0) -> str:
    """A table of others with an index for l2 over all but the last rows."""
    import lancedb
    import pyarrow as pa

    def rows(start: int, stop: int) -> Any:
        vectors = pa.FixedSizeListArray.from_arrays(pa.array(X[start:stop].ravel()), X.shape[1])
        return pa.table({"id": pa.array(range(start, stop)), "vector": vectors})

    first = len(X) - later
    table = lancedb.connect(str(folder)).create_table("items", data=rows(0, first))
    table.create_index(vector_column_name="vector", metric="l2", index_type="IVF_FLAT", num_partitions=8)
    if later:
        table.add(rows(first, len(X)))
    return f"{folder / 'items.lance'}?id=id&vector=vector"


def test_lancedb_another_distance_than_that_of_the_index(tmp_path: Path) -> None:
    name = lance_table(tmp_path / "lance")
    trap = Trap("lancedb", distance="cosine", found={None: {"index-not-used"}})
    check(trap, measured(trap, tmp_path / "runs", attach=name))


def test_lancedb_rows_that_came_after_the_index(tmp_path: Path) -> None:
    name = lance_table(tmp_path / "lance", later=500)
    trap = Trap("lancedb", {"nprobes": 8}, found={None: {"partly-indexed"}}, absent={None: {"index-not-used"}})
    check(trap, measured(trap, tmp_path / "runs", attach=name))


def test_usearch_as_it_is_left_alone_stores_bfloat16(tmp_path: Path) -> None:
    """Ours asks for float32. bfloat16 keeps three digits: of vectors that lie off the origin too few to tell them
    apart, and no effort passes the ceiling."""
    off = X + 4
    corpus, queries = Corpus(ArraySource(off)), QuerySet(QUERIES.vectors + 4)
    for dtype, found in (("bf16", {"recall-ceiling"}), ("f32", set())):
        trap = Trap("usearch", {"dtype": dtype}, {"expansion_search": (512, 1024, 2048)}, {None: found})
        curves = measured(trap, tmp_path / dtype, corpus, queries=queries)
        check(trap, curves)
        for point in curves[0].points:
            assert ("bfloat16" in point.run.setup.state.transform) == (dtype == "bf16")
            assert not point.run.setup.state.exhaustive
            assert ("recall-ceiling" in codes(point)) == bool(found)


def test_qdrant_edge_before_it_was_optimized(tmp_path: Path) -> None:
    """It searches exactly and says nothing; afterwards the same shard is an index."""
    from tests.engines.test_qdrant_edge import shard_of

    for optimized, found in ((False, {"index-not-used"}), (True, set())):
        name = str(shard_of(tmp_path / f"{optimized}", range(len(X)), X, optimized=optimized))
        trap = Trap("qdrant_edge", varied={"hnsw_ef": (10, 100)}, found={None: found})
        curves = measured(trap, tmp_path / f"runs-{optimized}", attach=name)
        check(trap, curves)
        assert all(("index-not-used" in codes(point)) != optimized for point in curves[0].points)
        assert all(bool(point.scores) == optimized for point in curves[0].points)


def test_qdrant_that_is_green_with_nothing_indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """tested: stub. And the client's local mode, which is exact, is refused before anything is measured."""
    with running_stub() as stub:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("QDRANT_URL", stub.url)
        vectors = {"size": X.shape[1], "distance": "Euclid"}
        made = stub.add("theirs", range(len(X)), X.tolist(), vectors=vectors, hnsw_config={"full_scan_threshold": 10})
        for indexed, found in ((0, {"index-not-used"}), (len(X) // 3, {"partly-indexed"}), (len(X), set())):
            made.indexed = indexed
            trap = Trap("qdrant", {"hnsw_ef": 50}, found={None: found})
            curves = measured(trap, tmp_path / f"runs-{indexed}", attach="theirs")
            check(trap, curves)
            (point,) = curves[0].points
            assert codes(point) & {"index-not-used", "partly-indexed"} == found
    monkeypatch.setenv("QDRANT_URL", ":memory:")
    with pytest.raises(InputError, match="local mode of qdrant-client searches exactly and has no index"):
        measured(Trap("qdrant"), tmp_path / "local", attach="theirs")


def test_milvus_counts_rows_as_indexed_that_no_index_covers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Milvus Lite says so of rows that were never flushed, and scans them. In another process nobody can look behind
    that: then it is not believed, and the checks say that they cannot tell."""
    from tests.engines.test_milvus import running
    from truerecall.engines._milvus_client import Address, connected, pymilvus

    with running(tmp_path / "server") as (uri, _):
        client, types = connected(Address(uri)), pymilvus().DataType
        schema = client.create_schema(auto_id=False)
        schema.add_field("key", types.INT64, is_primary=True)
        schema.add_field("v", types.FLOAT_VECTOR, dim=X.shape[1])
        client.create_collection("theirs", schema=schema)
        client.insert("theirs", [{"key": key, "v": row} for key, row in enumerate(X)])
        wanted = client.prepare_index_params()
        wanted.add_index("v", index_type="HNSW", metric_type="L2", params={"params": {"M": 2, "efConstruction": 1}})
        client.create_index("theirs", wanted)
        client.load_collection("theirs")
        assert client.describe_index("theirs", "v")["indexed_rows"] == len(X)
        monkeypatch.setenv("MILVUS_URI", uri)
        curves = measured(Trap("milvus", varied={"ef": (10, 100)}), tmp_path / "runs", attach="theirs?vector=v")
        for point in curves[0].points:
            said = {outcome.code: outcome.outcome for outcome in point.checks}
            assert said["index-not-used"] == said["partly-indexed"] == "cannot tell"
            assert [score.mean for score in point.scores if score.measure == "recall@10"] == [
                1.0
            ]  # no graph of two links


def test_qdrant_edge_binary_codes_without_rescoring(tmp_path: Path) -> None:
    """However wide the search, the codes say no more; ranked by the vectors it finds nearly all."""

    def recalls(rescore: str, oversampling: float) -> list[float]:
        fixed = {"quantization": "binary/one_bit", "rescore": rescore, "oversampling": oversampling}
        (curve,) = measured(Trap("qdrant_edge", fixed, {"hnsw_ef": (500, 2000)}), tmp_path / rescore)
        scores = [point.score("recall@10") for point in curve.points]
        return [score.mean for score in scores if score is not None and score.mean is not None]

    assert max(recalls("no", 1.0)) < 0.6
    assert min(recalls("yes", 20.0)) > 0.9
