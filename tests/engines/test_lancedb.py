"""LanceDB on small seeded vectors: every kind of index, what its plans say, and the ways past its index."""

from __future__ import annotations

import re
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.engines.brute import answers, digests, exact_answers, nearest, share
from truerecall import shelf
from truerecall.engines._lancedb_library import index_kinds, lancedb
from truerecall.engines._lancedb_plan import counted, counted_at_most
from truerecall.engines._lancedb_words import KINDS, OWN_NAMES
from truerecall.engines.lancedb import engine
from truerecall.errors import EngineFailed, Incapable, InputError, UnknownName
from truerecall.model.engine import Index, Place, Settings
from truerecall.model.source import ArraySource

ROWS, DIMENSIONS = 2000, 32
X = np.random.default_rng(1).normal(size=(ROWS, DIMENSIONS)).astype(np.float32)
Q = np.random.default_rng(2).normal(size=(20, DIMENSIONS)).astype(np.float32)


def built(place: Path, kind: str = "IVF_FLAT", distance: str = "l2", rows: Any = X, **settings: Any) -> Index:
    wanted = {"index_type": kind, "num_partitions": 4, **settings}
    return engine.build(ArraySource(rows), distance, wanted, seed=0, threads=1, place=Place(place))


def arrow(ids: Any, rows: Any, **names: str) -> Any:
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(np.asarray(rows).reshape(-1)), rows.shape[1])
    return pa.table({names.get("id", "id"): pa.array(ids), names.get("vector", "vector"): vectors})


def table_of(folder: Path, ids: Any, rows: Any = X, distance: str | None = "l2", **names: str) -> tuple[str, Any]:
    """A table as somebody else would make it: what it is called, and itself."""
    table = lancedb.connect(str(folder)).create_table("t", arrow(ids, rows, **names))
    if distance is not None:
        config = index_kinds.IvfFlat(distance_type=distance, num_partitions=8)
        table.create_index(names.get("vector", "vector"), config=config)
    return str(folder / "t.lance"), table


def test_it_stands_on_its_shelf() -> None:
    assert shelf.engines.get("lancedb") is engine
    assert engine.version() == "0.40.0"
    assert (engine.extra, engine.tested) == ("lancedb", "real")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_made_read_back_saved_and_loaded(kind: str, tmp_path: Path) -> None:
    index = built(tmp_path / "a", kind)
    state = index.state()
    assert (state.kind, state.rows, state.indexed_rows, state.path) == (kind, ROWS, ROWS, "index")
    assert (state.exact_by_design, state.transform) == (False, "none")
    assert f"{kind} for l2, num_indexed_rows 2000, num_unindexed_rows 0, 4 partitions" in state.told
    assert "ANNSubIndex: name=vector_index" in state.told
    assert str(tmp_path) not in state.told
    offered = engine.search_settings({"index_type": kind}, distance="l2", dimensions=DIMENSIONS)
    names = {"nprobes", "refine_factor", "fast_search", "prefilter"} | ({"ef"} if "HNSW" in kind else set())
    assert set(index.configure({})) == {setting.name for setting in offered} == names
    index.configure({"nprobes": 8, "refine_factor": 200})
    truth = nearest(X, Q, "l2")
    assert share(answers(index, Q), truth) > 0.99
    assert [list(found) for found in index.search_batch(index.prepare(Q), 10)] == answers(index, Q)
    assert [list(found) for found in index.search_batch(index.prepare(Q[:1]), 10)] == answers(index, Q[:1])
    assert exact_answers(index, Q) == truth
    index.save(tmp_path / "saved")
    other = Place(tmp_path / "b")
    loaded = engine.load(tmp_path / "saved", ArraySource(X), "l2", {"index_type": kind}, threads=1, place=other)
    for search in ({}, {"nprobes": 1}):
        assert loaded.configure(search) == index.configure(search)
        assert answers(loaded, Q) == answers(index, Q)
        assert loaded.state() == index.state()
    index.close()
    loaded.close()


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine"])
@pytest.mark.parametrize("kind", ["IVF_FLAT", "IVF_HNSW_FLAT"])
def test_the_distances_are_mapped(distance: str, kind: str, tmp_path: Path) -> None:
    rows = X * np.random.default_rng(3).uniform(0.5, 2, size=(ROWS, 1)).astype(np.float32)
    before, truth = rows.copy(), nearest(rows, Q, distance)
    index = built(tmp_path, kind, distance, rows)
    index.configure({"nprobes": 8, **({"ef": ROWS} if "HNSW" in kind else {})})
    assert index.state().path == "index"
    assert share(answers(index, Q), truth) > 0.99
    assert exact_answers(index, Q) == truth
    assert (rows == before).all()
    index.close()


def test_bits_are_compared_by_hamming(tmp_path: Path) -> None:
    rows = np.random.default_rng(5).integers(0, 256, size=(ROWS, 8), dtype=np.uint8)
    source, place = ArraySource(rows, bits=64), Place(tmp_path)
    index = engine.build(
        source, "hamming", {"index_type": "IVF_FLAT", "num_partitions": 4}, seed=0, threads=1, place=place
    )
    index.configure({"nprobes": 4})
    assert index.state().exhaustive
    found, truth = answers(index, rows[:5], 30), nearest(rows, rows[:5], "hamming", 30)

    def bits_apart(lists: list[list[int]]) -> list[list[int]]:
        return [[int(np.bitwise_count(rows[i] ^ rows[row]).sum()) for row in line] for i, line in enumerate(lists)]

    assert bits_apart(found) == bits_apart(truth)
    with pytest.raises(InputError, match="LanceDB has no IVF_PQ for hamming; take index_type IVF_FLAT"):
        engine.search_settings({}, distance="hamming", dimensions=8)
    with pytest.raises(InputError, match="array holds no bits"):
        built(tmp_path, distance="hamming")
    index.close()


def test_more_effort_costs_more_and_finds_more(tmp_path: Path) -> None:
    index, truth = built(tmp_path, num_partitions=16), nearest(X, Q, "l2")
    spent, shares = [], []
    for probes in (1, 4, 16):
        assert index.configure({"nprobes": probes})["nprobes"] == probes
        index.reset_cost()
        shares.append(share(answers(index, Q), truth))
        spent.append(dict(index.cost()))
        assert index.state().exhaustive == (probes == 16)
    assert shares[0] < shares[1] < shares[2] == 1
    assert [cost["partitions_searched"] for cost in spent] == [20, 80, 320]
    assert spent[0]["distance_computations"] < spent[1]["distance_computations"] < spent[2]["distance_computations"]
    assert spent[2]["distance_computations"] == 20 * (ROWS + 16)
    index.reset_cost()
    assert index.cost() == {}
    index.close()


def test_graphs_count_partitions_alone(tmp_path: Path) -> None:
    index = built(tmp_path, "IVF_HNSW_FLAT", num_partitions=2)
    index.configure({"nprobes": 2})
    index.reset_cost()
    answers(index, Q)
    assert index.cost() == {"partitions_searched": 40}
    index.close()


def test_ef_buys_recall_and_below_k_it_is_refused(tmp_path: Path) -> None:
    index, truth, shares = built(tmp_path, "IVF_HNSW_FLAT", m=4, num_partitions=2), nearest(X, Q, "l2"), []
    for ef in (10, 40, 500):
        assert index.configure({"nprobes": 2, "ef": ef})["ef"] == ef
        shares.append(share(answers(index, Q), truth))
    assert shares[0] < shares[1] < shares[2]
    index.reset_cost()
    for told, words in (
        ({"ef": 9}, "no ef of 9 for 10 candidates (k 10 times refine_factor 1); set ef to 10 at least"),
        ({"ef": 49, "refine_factor": 5}, "no ef of 49 for 50 candidates (k 10 times refine_factor 5)"),
    ):
        index.configure(told)
        with pytest.raises(EngineFailed, match=re.escape(words)):
            answers(index, Q)
        with pytest.raises(EngineFailed, match=re.escape(words)):
            index.search_batch(index.prepare(Q), 10)
    assert index.cost() == {}
    for told in ({"ef": 50, "refine_factor": 5}, {"ef": 0, "refine_factor": 5}):
        index.configure({"nprobes": 2, **told})
        assert share(answers(index, Q), truth) > shares[1]
    index.close()


@pytest.mark.parametrize("kind", ["IVF_SQ", "IVF_PQ", "IVF_RQ", "IVF_HNSW_PQ"])
def test_codes_have_a_ceiling_which_refining_lifts(kind: str, tmp_path: Path) -> None:
    index, truth = built(tmp_path, kind), nearest(X, Q, "l2")
    index.configure({"nprobes": 8})
    codes = share(answers(index, Q), truth)
    assert index.state().exhaustive is False
    assert index.configure({"nprobes": 8, "refine_factor": 20})["refine_factor"] == 20
    assert codes < share(answers(index, Q), truth)
    assert codes < 0.99
    index.close()


def test_rows_that_came_after_the_index_are_scanned_beside_it(tmp_path: Path) -> None:
    name, table = table_of(tmp_path / "theirs", np.arange(ROWS))
    table.add(arrow(np.arange(ROWS, ROWS + len(Q)), Q))
    index = engine.attach(name, "l2", place=Place(tmp_path / "place"))
    state = index.state()
    assert (state.rows, state.indexed_rows, state.path) == (ROWS + 20, ROWS, "index")
    assert "num_unindexed_rows 20" in state.told
    assert "UnionExec" in state.told
    index.configure({"nprobes": 8})
    assert index.state().exhaustive
    assert [found[0] for found in answers(index, Q)] == list(range(ROWS, ROWS + 20))
    assert set(index.cost()) == {"partitions_searched"}  # what was scanned beside the index is not counted
    assert index.configure({"nprobes": 8, "fast_search": "yes"})["fast_search"] == "yes"
    assert not index.state().exhaustive
    assert answers(index, Q) == nearest(X, Q, "l2")
    index.close()


def test_rows_are_deleted_and_updated(tmp_path: Path) -> None:
    index = built(tmp_path)
    gone = nearest(X, Q[:1], "l2")[0][:3]
    index.delete(np.array(gone))
    assert not set(answers(index, Q[:1])[0]) & set(gone)
    index.update(np.array([5]), Q[:1])
    assert answers(index, Q[:1])[0][0] == 5
    state = index.state()
    assert (state.rows, state.indexed_rows) == (ROWS - 3, ROWS - 4)
    index.close()


@pytest.mark.parametrize(("theirs", "ours"), [("l2", "cosine"), ("cosine", "l2"), ("l2", "ip")])
def test_for_another_distance_than_the_index_s_all_rows_are_scanned(theirs: str, ours: str, tmp_path: Path) -> None:
    name, _ = table_of(tmp_path / "theirs", np.arange(ROWS), distance=theirs)
    index = engine.attach(name, ours, place=Place(tmp_path / "place"))
    index.configure({"nprobes": 1})
    state = index.state()
    assert (state.kind, state.indexed_rows, state.path, state.exhaustive) == ("IVF_FLAT", ROWS, "full scan", True)
    assert f"IVF_FLAT for {theirs}" in state.told
    assert f"KNNVectorDistance: metric={OWN_NAMES[ours]}" in state.told
    assert answers(index, Q) == nearest(X, Q, ours)
    assert index.cost() == {}
    assert index.vectors_scanned(10) == ROWS
    index.close()


def test_without_an_index_all_rows_are_scanned(tmp_path: Path) -> None:
    name, _ = table_of(tmp_path / "theirs", np.arange(ROWS), distance=None)
    index = engine.attach(name, "l2", place=Place(tmp_path / "place"))
    state = index.state()
    assert (state.kind, state.indexed_rows, state.path, state.exhaustive) == ("no index", 0, "full scan", True)
    assert answers(index, Q) == nearest(X, Q, "l2")
    with pytest.raises(UnknownName, match="unknown setting nprobes; known are: prefilter"):
        index.configure({"nprobes": 1})
    index.close()


def test_too_few_rows_for_codes_make_an_index_of_nothing(tmp_path: Path) -> None:
    index = built(tmp_path, "IVF_PQ", rows=X[:100])
    state = index.state()
    assert (state.kind, state.rows, state.indexed_rows) == ("IVF_PQ", 100, 0)
    assert answers(index, Q) == nearest(X[:100], Q, "l2")
    index.close()


def test_under_cosine_vectors_of_zeros_are_not_found(tmp_path: Path) -> None:
    rows = X.copy()
    rows[7] = 0
    index = built(tmp_path, distance="cosine", rows=rows)
    index.configure({"nprobes": 8})
    for found in (answers(index, Q[:1], ROWS)[0], exact_answers(index, Q[:1], ROWS)[0]):
        assert len(found) == ROWS - 1
        assert 7 not in found
    assert answers(index, np.zeros((1, DIMENSIONS), np.float32)) == [[]]
    index.close()


def test_a_short_answer_is_short(tmp_path: Path) -> None:
    index = built(tmp_path, rows=X[:4], num_partitions=1)
    assert [len(found) for found in answers(index, Q, 7)] == [4] * len(Q)
    many = built(tmp_path / "many")
    many.configure({"nprobes": 1})
    lengths = [len(found) for found in answers(many, Q, 1000)]
    assert 0 < max(lengths) < 1000
    assert [len(found) for found in many.search_batch(many.prepare(Q), 1000)] == lengths


def test_a_cast_is_declared(tmp_path: Path) -> None:
    wide = built(tmp_path / "a", rows=X.astype(np.float64))
    assert wide.state().transform == "cast from float64 to float32"
    half = built(tmp_path / "b", rows=X.astype(np.float16))
    assert half.state().transform == "none"
    half.configure({"nprobes": 8})
    assert not half.state().exhaustive
    assert share(answers(half, Q), nearest(X.astype(np.float16), Q.astype(np.float16), "l2")) > 0.99
    rows = X.astype(np.float64)
    rows[7, 3] = 1e39
    with pytest.raises(InputError, match=r"beyond 3\.4e\+38"):
        built(tmp_path / "c", rows=rows)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"index_typ": "IVF_PQ"}, "unknown setting index_typ; did you mean index_type?"),
        ({"index_type": "IVF_HNSW"}, "unknown index_type IVF_HNSW; did you mean IVF_HNSW_"),
        ({"index_type": "IVF_FLAT", "m": 8}, "m means nothing to IVF_FLAT; leave it out"),
        ({"index_type": "IVF_SQ", "num_sub_vectors": 8}, "num_sub_vectors means nothing to IVF_SQ"),
        ({"num_bits": 9}, "num_bits is 9; give a whole number from 0 to 8"),
    ],
)
def test_impossible_builds_are_refused_before_they_begin(settings: Settings, words: str) -> None:
    with pytest.raises(InputError) as caught:
        engine.search_settings(settings, distance="l2", dimensions=DIMENSIONS)
    assert str(caught.value).startswith(words)


def test_what_lancedb_itself_refuses_is_the_users_to_mend(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        built(tmp_path, "IVF_PQ", num_sub_vectors=7)
    assert str(caught.value).startswith("LanceDB cannot make IVF_PQ over 2000 rows of 32 dimensions: ")
    assert ".rs" not in str(caught.value)


def test_impossible_searches_are_refused(tmp_path: Path) -> None:
    index = built(tmp_path)
    with pytest.raises(UnknownName, match="did you mean nprobes"):
        index.configure({"nprobe": 4})
    with pytest.raises(UnknownName, match="unknown setting ef"):
        index.configure({"ef": 40})  # there is no graph
    with pytest.raises(UnknownName, match="unknown fast_search true; known are: no, yes"):
        index.configure({"fast_search": "true"})


def test_partitions_that_lancedb_does_not_make_are_told(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed, match="num_partitions is 7 and 16 was asked for"):
        built(tmp_path, "IVF_PQ", num_partitions=16)  # 2000 rows, 256 for each at least
    index = built(tmp_path, "IVF_PQ", num_partitions=7)
    assert "7 partitions" in index.state().told
    index.close()


def test_build_settings_are_read_back(tmp_path: Path) -> None:
    index = built(tmp_path, "IVF_HNSW_PQ", m=6, ef_construction=40, num_sub_vectors=8, num_bits=4, num_partitions=1)
    assert index.state().kind == "IVF_HNSW_PQ"
    index.close()


def test_what_is_no_saved_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"nothing of the kind")
    place = Place(tmp_path / "place")
    with pytest.raises(InputError, match="is no saved index of lancedb"):
        engine.load(tmp_path / "x", ArraySource(X), "l2", {}, threads=1, place=place)
    built(tmp_path / "b").save(tmp_path / "y")
    with pytest.raises(InputError, match="holds 2000 rows of 32 dimensions and array 5 of 32"):
        engine.load(tmp_path / "y", ArraySource(X[:5]), "l2", {}, threads=1, place=place)
    with pytest.raises(InputError, match="holds no index for ip"):
        engine.load(tmp_path / "y", ArraySource(X), "ip", {}, threads=1, place=place)


UUIDS = [str(uuid.uuid5(uuid.NAMESPACE_URL, str(i))) for i in range(300)]
IDS: dict[str, list[Any]] = {
    "int64": [2**53 + 300 - i for i in range(300)],
    "uint64": [2**64 - 1 - i for i in range(300)],
    "string": UUIDS,
}


@pytest.mark.parametrize("kind", IDS)
def test_ids_come_back_as_they_are(kind: str, tmp_path: Path) -> None:
    plain = IDS[kind]
    column = pa.array(plain, pa.uint64() if kind == "uint64" else None)
    name, _ = table_of(tmp_path / "theirs", column, X[:300], None, id="key", vector="embedding")
    named = f"{name}?id=key&vector=embedding"
    index = engine.attach(named, "l2", place=Place(tmp_path / "place"))
    assert index.answers == "ids"
    assert answers(index, Q) == [[plain[row] for row in found] for found in nearest(X[:300], Q, "l2")]
    corpus = engine.source(named, place=Place(tmp_path / "place"))
    assert corpus.id_kind == kind
    order = [plain.index(one) for one in corpus.ids.tolist()]
    assert sorted(order) == list(range(300))
    blocks = [(start, block.copy()) for start, block in corpus.source.blocks(128, 20)]
    assert [start for start, _ in blocks] == [20, 148, 276]
    assert (np.vstack([block for _, block in blocks]) == X[order][20:]).all()
    assert (corpus.source.take(np.array([5, 3, 5])) == X[order][[5, 3, 5]]).all()
    assert (corpus.source.rows, corpus.source.dimensions, corpus.source.dtype) == (300, 32, np.dtype(np.float32))
    assert corpus.source.take(np.empty(0, np.int64)).shape == (0, 32)
    index.close()


def test_rows_without_a_vector_are_left_out(tmp_path: Path) -> None:
    vectors = pa.array([[1.0, 2.0], None, [3.0, 4.0]], pa.list_(pa.float32(), 2))
    made = lancedb.connect(str(tmp_path)).create_table(
        "t", pa.table({"id": ["a", "b", "c"], "vector": vectors}), on_bad_vectors="null"
    )
    assert made.count_rows() == 3
    corpus = engine.source(str(tmp_path / "t.lance"), place=Place(tmp_path / "place"))
    assert corpus.ids.tolist() == ["a", "c"]
    assert corpus.source.take(np.arange(2)).tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_attaching_leaves_the_table_as_it_is_and_stays_at_its_version(tmp_path: Path) -> None:
    name, table = table_of(tmp_path / "theirs", np.arange(ROWS))
    before, place = digests(tmp_path / "theirs"), Place(tmp_path / "place")
    index, corpus = engine.attach(name, "l2", place=place), engine.source(name, place=place)
    first = answers(index, Q)
    assert index.state().size_bytes is None
    assert index.cost() != {}
    assert digests(tmp_path / "theirs") == before
    with pytest.raises(Incapable):
        index.delete([1])
    with pytest.raises(Incapable):
        index.update([1], Q[:1])
    with pytest.raises(Incapable):
        index.save(tmp_path / "x")
    table.delete("id < 1000")
    assert answers(index, Q) == first
    assert (index.state().rows, corpus.source.rows) == (ROWS, ROWS)
    assert (corpus.source.take(np.arange(10)) == X[corpus.ids[:10]]).all()
    index.close()


def test_what_is_no_table_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    place = Place(tmp_path / "place")
    for missing in (tmp_path / "nowhere" / "t.lance", tmp_path / "t"):
        with pytest.raises(InputError, match="is no table of LanceDB; name its folder"):
            engine.attach(str(missing), "l2", place=place)
    assert not (tmp_path / "nowhere").exists()
    (tmp_path / "empty.lance").mkdir()
    with pytest.raises(EngineFailed, match="LanceDB cannot open empty"):
        engine.attach(str(tmp_path / "empty.lance"), "l2", place=place)
    name, _ = table_of(tmp_path / "theirs", np.arange(10), X[:10], None, id="key")
    with pytest.raises(InputError, match=r"has no column of ids 'id'; name one as \?id=COLUMN; there are: key"):
        engine.source(name, place=place)
    with pytest.raises(InputError, match=r"has no column of vectors 'v'.*there are: vector"):
        engine.attach(f"{name}?id=key&vector=v", "l2", place=place)


def test_rounded_counts_are_read_with_their_error() -> None:
    plan = "metrics=[index_comparisons=3.00 K, rows=12], other=[index_comparisons=7, index_comparisons=1.5 M]"
    assert counted(plan, "index_comparisons") == 3000 + 7 + 1_500_000
    assert counted_at_most(plan, "index_comparisons") == 3005 + 7 + 1_505_000
    assert counted(plan, "comparisons") == 0


def test_it_writes_nothing_to_the_terminal(tmp_path: Path) -> None:
    name, _ = table_of(tmp_path / "theirs", np.arange(ROWS))
    script = (
        "import numpy, pathlib\n"
        "from truerecall.engines.lancedb import engine\n"
        "from truerecall.model.engine import Place\n"
        f"index = engine.attach({name!r}, 'cosine', place=Place(pathlib.Path({str(tmp_path)!r})))\n"
        "index.search(index.prepare(numpy.ones((1, 32), numpy.float32)), 3); index.state(); index.close()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_two_stand_side_by_side(tmp_path: Path) -> None:
    one, other = built(tmp_path / "a"), built(tmp_path / "b", rows=-X)
    one.configure({"nprobes": 1})
    other.configure({"nprobes": 8})
    one.close()
    assert answers(other, Q) == nearest(-X, Q, "l2")
    other.close()
