"""The traps of each engine, end to end: a real engine is measured as a user would, and the finding says what happened.

What an adapter itself does about a trap (refuse it, cast, read settings back) stands in the tests of that engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.brute import X
from tests.postgres import Server
from truerecall import shelf
from truerecall.engines.pgvector import engine as pgvector
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
        "lancedb", {"index_type": "IVF_PQ", "num_partitions": 8, "num_sub_vectors": 8}, {"nprobes": (4, 8)},
        {None: {"recall-ceiling"}},
    ),
    "Milvus FLAT is exact by design": Trap("milvus", {"index_type": "FLAT"}, found={None: {"exact-by-design"}}),
}  # fmt: skip


def measured(trap: Trap, out: Path, corpus: Corpus = CORPUS, attach: str = "") -> tuple[Curve, ...]:
    """The curves; behind a filter those alone."""
    own = EnginePlan(trap.engine, trap.fixed, trap.varied, attach)
    plan = Plan((own,), trap.distance, trap.k, warmup_calls=5, repeats=1, filters=trap.filters)
    curves, _ = measure(plan, Inputs(corpus, QUERIES), out, isolation="none")
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
    """Ours asks for float32. In bfloat16 its own exhaustive search misses true neighbours, and the state says why."""
    trap = Trap("usearch", {"dtype": "bf16"}, {"expansion_search": (64, 256)})
    for curve in measured(trap, tmp_path / "runs"):
        for point in curve.points:
            assert "bf" in point.run.setup.state.transform
            assert not point.run.setup.state.exhaustive


def test_qdrant_edge_binary_codes_without_rescoring(tmp_path: Path) -> None:
    """However wide the search, the codes say no more; ranked by the vectors it finds nearly all."""

    def recalls(rescore: str, oversampling: float) -> list[float]:
        fixed = {"quantization": "binary/one_bit", "rescore": rescore, "oversampling": oversampling}
        (curve,) = measured(Trap("qdrant_edge", fixed, {"hnsw_ef": (500, 2000)}), tmp_path / rescore)
        scores = [point.score("recall@10") for point in curve.points]
        return [score.mean for score in scores if score is not None and score.mean is not None]

    assert max(recalls("no", 1.0)) < 0.6
    assert min(recalls("yes", 20.0)) > 0.9
