"""Qdrant Edge on small seeded vectors: graphs, codes, and the ways in which it searches past its graph."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.brute import answers, digests, exact_answers, nearest, share
from truerecall import shelf
from truerecall.engines._qdrant_edge_library import edge
from truerecall.engines._qdrant_words import QUANTIZATIONS
from truerecall.engines.qdrant_edge import engine
from truerecall.errors import EngineFailed, Incapable, InputError, UnknownName
from truerecall.model.engine import Index, Place, Settings, Value
from truerecall.model.source import ArraySource

ROWS, DIMENSIONS = 2000, 32
X = np.random.default_rng(1).normal(size=(ROWS, DIMENSIONS)).astype(np.float32)
Q = np.random.default_rng(2).normal(size=(20, DIMENSIONS)).astype(np.float32)


def built(place: Path, distance: str = "l2", rows: Any = X, **settings: Any) -> Index:
    return engine.build(ArraySource(rows), distance, settings, seed=0, threads=1, place=Place(place))


def shard_of(
    folder: Path,
    ids: Sequence[Any],
    rows: Any = X,
    distance: str = "Euclid",
    *,
    optimized: bool = True,
    indexing_threshold: int = 1,
) -> Path:
    """A shard as somebody else would make it, closed. The payloads say in ``n`` where a row stands."""
    config = edge.EdgeConfig(
        vectors=edge.EdgeVectorParams(size=rows.shape[1], distance=getattr(edge.Distance, distance)),
        hnsw_config=edge.HnswIndexConfig(m=8, ef_construct=40, full_scan_threshold=10, max_indexing_threads=1),
        optimizers=edge.EdgeOptimizersConfig(default_segment_number=1, indexing_threshold=indexing_threshold),
    )
    shard = edge.EdgeShard.create(str(folder), config)
    points = [edge.Point(one, row.tolist(), {"n": n}) for n, (one, row) in enumerate(zip(ids, rows, strict=True))]
    shard.update(edge.UpdateOperation.upsert_points(points))
    if optimized:
        shard.optimize()
    shard.flush()
    shard.close()
    return folder


def test_it_stands_on_its_shelf() -> None:
    assert shelf.engines.get("qdrant-edge") is engine
    assert engine.version() == "0.9.0"
    assert (engine.extra, engine.tested) == ("qdrant-edge", "real")


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine", "l1"])
def test_a_wide_search_finds_what_brute_force_finds(distance: str, tmp_path: Path) -> None:
    rows = X * np.random.default_rng(3).uniform(0.5, 2, size=(ROWS, 1)).astype(np.float32)
    before = rows.copy()
    index = built(tmp_path, distance, rows)
    truth = nearest(rows, Q, distance)
    index.configure({"hnsw_ef": ROWS})
    assert share(answers(index, Q), truth) > 0.99
    assert exact_answers(index, Q) == truth
    assert [list(found) for found in index.search_batch(index.prepare(Q), 10)] == answers(index, Q)
    assert (rows == before).all()
    assert index.state().transform == ("normalised by Qdrant" if distance == "cosine" else "none")
    index.close()


def test_more_effort_finds_more(tmp_path: Path) -> None:
    index, truth, shares = built(tmp_path, m=4, ef_construct=16), nearest(X, Q, "l2"), []
    for ef in (1, 40, 1000):
        assert index.configure({"hnsw_ef": ef}) == {"hnsw_ef": ef, "indexed_only": "no"}
        shares.append(share(answers(index, Q), truth))
    assert shares[0] < shares[1] < shares[2]
    assert index.configure({})["hnsw_ef"] == 16


def test_its_state_is_taken_from_its_counts_and_files(tmp_path: Path) -> None:
    index = built(tmp_path, m=8, ef_construct=50)
    state = index.state()
    assert (state.kind, state.rows, state.indexed_rows, state.path) == ("HNSW", ROWS, ROWS, "index")
    assert (state.exact_by_design, state.exhaustive) == (False, False)
    assert "points_count 2000, indexed_vectors_count 2000" in state.told
    assert "graph over 2000 vectors (m=8 ef_construct=50 full_scan_threshold=10" in state.told
    assert state.size_bytes is not None
    assert 4 * ROWS * DIMENSIONS < state.size_bytes < 20 * 2**20  # its files are mostly holes
    assert index.vectors_scanned(10) is None
    assert index.cost() == {}


def test_before_optimize_it_searches_exactly_and_says_nothing(tmp_path: Path) -> None:
    folder = shard_of(tmp_path / "theirs", range(ROWS), optimized=False)
    index = engine.attach(str(folder), "l2", place=Place(tmp_path / "place"))
    state = index.state()
    assert (state.kind, state.rows, state.indexed_rows, state.path) == ("plain", ROWS, 0, "full scan")
    assert state.exhaustive
    assert "indexed_vectors_count 0" in state.told
    index.configure({"hnsw_ef": 1})
    assert answers(index, Q) == nearest(X, Q, "l2")
    assert index.vectors_scanned(10) == ROWS
    index.close()


def test_below_the_indexing_threshold_there_is_no_graph(tmp_path: Path) -> None:
    index = built(tmp_path, indexing_threshold=10_000)
    state = index.state()
    assert (state.kind, state.indexed_rows, state.path, state.exhaustive) == ("plain", 0, "full scan", True)


def test_below_the_full_scan_threshold_a_graph_is_not_used(tmp_path: Path) -> None:
    kilobytes = 4 * ROWS * DIMENSIONS // 1024
    for threshold, path in ((kilobytes, "index"), (kilobytes + 1, "full scan"), (10_000, "full scan")):
        index = built(tmp_path / str(threshold), full_scan_threshold=threshold, m=4, ef_construct=8)
        state = index.state()
        assert (state.kind, state.indexed_rows, state.path) == ("HNSW", ROWS, path)
        index.configure({"hnsw_ef": 1})
        assert (answers(index, Q) == nearest(X, Q, "l2")) == (path == "full scan") == state.exhaustive
        index.close()


def test_indexed_only_leaves_out_large_segments_without_a_graph(tmp_path: Path) -> None:
    rows = np.random.default_rng(4).normal(size=(ROWS, 1400)).astype(np.float32)  # more than 10,000 KB
    index = built(tmp_path, rows=rows, indexing_threshold=100_000)
    assert index.state().indexed_rows == 0
    assert [len(found) for found in answers(index, rows[:2])] == [10, 10]
    assert index.configure({"indexed_only": "yes"})["indexed_only"] == "yes"
    assert answers(index, rows[:2]) == [[], []]
    assert not index.state().exhaustive
    index.close()


@pytest.mark.parametrize("quantization", QUANTIZATIONS[1:])
def test_every_quantisation_is_made_and_read_back(quantization: str, tmp_path: Path) -> None:
    index = built(tmp_path, quantization=quantization)
    state = index.state()
    assert (state.kind, state.path, state.exhaustive) == (f"HNSW, {quantization}", "index", False)
    names = {
        setting.name for setting in engine.search_settings({"quantization": quantization}, distance="l2", dimensions=32)
    }
    assert set(index.configure({})) == names == {"hnsw_ef", "indexed_only", "rescore", "oversampling", "ignore"}
    assert exact_answers(index, Q) == nearest(X, Q, "l2")
    index.close()


@pytest.mark.parametrize("quantization", ["scalar", "product/x16", "binary/one_bit", "turbo/bits2"])
def test_codes_have_a_ceiling_which_rescoring_lifts(quantization: str, tmp_path: Path) -> None:
    index, truth = built(tmp_path, quantization=quantization), nearest(X, Q, "l2")
    shares = {}
    searches: dict[str, dict[str, Value]] = {
        "codes": {"rescore": "no"},
        "rescored": {"rescore": "yes", "oversampling": 8.0},
        "vectors": {"ignore": "yes"},
    }
    for name, search in searches.items():
        in_force = index.configure({"hnsw_ef": ROWS, **search})
        assert {key: in_force[key] for key in search} == search
        shares[name] = share(answers(index, Q), truth)
    assert shares["codes"] < shares["rescored"] <= shares["vectors"]
    assert shares["codes"] < 0.97
    assert shares["vectors"] > 0.99
    index.close()


def test_codes_answer_before_there_is_a_graph_too(tmp_path: Path) -> None:
    index = built(tmp_path, quantization="binary/one_bit", indexing_threshold=100_000)
    state = index.state()
    assert (state.path, state.exhaustive) == ("full scan", False)
    assert share(answers(index, Q), nearest(X, Q, "l2")) < 0.5
    index.configure({"ignore": "yes"})
    assert index.state().exhaustive
    assert answers(index, Q) == nearest(X, Q, "l2")
    index.close()


def test_vectors_can_be_kept_in_half_precision(tmp_path: Path) -> None:
    state = built(tmp_path, datatype="float16", full_scan_threshold=10_000).state()
    assert (state.transform, state.exhaustive) == ("cast from float32 to float16", False)
    wide = built(tmp_path / "wide", rows=X.astype(np.float64))
    assert wide.state().transform == "cast from float64 to float32"


def test_values_that_float32_cannot_hold_are_refused(tmp_path: Path) -> None:
    rows = X.astype(np.float64)
    rows[7, 3] = 1e39
    with pytest.raises(InputError, match=r"beyond 3\.4e\+38.*scale the vectors down"):
        built(tmp_path, rows=rows)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"ef_construc": 10}, "unknown setting ef_construc; did you mean ef_construct?"),
        ({"quantization": "binary"}, "unknown quantization binary; did you mean binary/"),
        ({"datatype": "float8"}, "unknown datatype float8; did you mean float"),
        ({"m": 1}, "m is 1; give a whole number from 2 to 1024"),
    ],
)
def test_impossible_builds_are_refused_before_they_begin(settings: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        engine.search_settings(settings, distance="l2", dimensions=32)
    assert str(caught.value).startswith(words)


def test_impossible_searches_are_refused(tmp_path: Path) -> None:
    index = built(tmp_path, rows=X[:200])
    with pytest.raises(UnknownName, match="did you mean hnsw_ef"):
        index.configure({"hnsw_eff": 4})
    with pytest.raises(UnknownName, match="unknown setting rescore"):
        index.configure({"rescore": "yes"})  # there are no codes
    with pytest.raises(UnknownName, match="unknown indexed_only perhaps; known are: no, yes"):
        index.configure({"indexed_only": "perhaps"})


def test_a_short_answer_is_short(tmp_path: Path) -> None:
    index = built(tmp_path, rows=X[:4])
    assert [len(found) for found in answers(index, Q, 7)] == [4] * len(Q)


def test_rows_are_deleted_and_updated(tmp_path: Path) -> None:
    index = built(tmp_path)
    gone = nearest(X, Q[:1], "l2")[0][:3]
    index.delete(np.array(gone))
    assert not set(answers(index, Q[:1])[0]) & set(gone)
    index.update(np.array([5]), Q[:1])
    assert answers(index, Q[:1])[0][0] == 5
    state = index.state()
    assert (state.rows, state.indexed_rows, state.path) == (ROWS - 3, None, "index")
    assert "indexed_vectors_count 2000" in state.told  # Qdrant goes on counting what is gone
    index.save(tmp_path / "saved")
    index.close()


def test_a_saved_index_behaves_the_same(tmp_path: Path) -> None:
    index = built(tmp_path / "a", quantization="scalar")
    index.save(tmp_path / "saved")
    loaded = engine.load(
        tmp_path / "saved", ArraySource(X), "l2", {"quantization": "scalar"}, threads=1, place=Place(tmp_path / "b")
    )
    searches: tuple[Settings, ...] = ({}, {"hnsw_ef": 3}, {"rescore": "yes", "oversampling": 4.0})
    for search in searches:
        assert loaded.configure(search) == index.configure(search)
        assert answers(loaded, Q) == answers(index, Q)
    mine, theirs = index.state(), loaded.state()
    assert (mine.kind, mine.rows, mine.indexed_rows) == (theirs.kind, theirs.rows, theirs.indexed_rows)
    loaded.close()
    index.close()


def test_what_is_no_saved_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match="is no saved index of qdrant_edge"):
        engine.load(tmp_path / "x", ArraySource(X), "l2", {}, threads=1, place=Place(tmp_path / "a"))
    built(tmp_path / "b").save(tmp_path / "y")
    with pytest.raises(InputError, match="holds 2000 rows of 32 dimensions and array 5 of 32"):
        engine.load(tmp_path / "y", ArraySource(X[:5]), "l2", {}, threads=1, place=Place(tmp_path / "a"))
    with pytest.raises(InputError, match="compares vectors by Euclid and not by ip"):
        engine.load(tmp_path / "y", ArraySource(X), "ip", {}, threads=1, place=Place(tmp_path / "a"))


NUMBERS = [2**64 - 1 - i for i in range(200)]
UUIDS = [str(uuid.uuid5(uuid.NAMESPACE_URL, str(i))) for i in range(200)]


@pytest.mark.parametrize("ids", [list(range(200)), [2**53 + i for i in range(200)], NUMBERS, UUIDS])
def test_ids_come_back_as_they_are(ids: list[Any], tmp_path: Path) -> None:
    spelt = [one.upper() if isinstance(one, str) else one for one in ids]
    folder = shard_of(tmp_path / "theirs", spelt, X[:200])
    index = engine.attach(str(folder), "l2", place=Place(tmp_path / "place"))
    assert index.answers == "ids"
    index.configure({"hnsw_ef": 200})
    truth = [[ids[row] for row in found] for found in nearest(X[:200], Q, "l2")]
    assert answers(index, Q) == truth
    corpus = engine.source(str(folder), place=Place(tmp_path / "place"))
    assert sorted(corpus.ids.tolist()) == sorted(ids)
    order = [ids.index(one) for one in corpus.ids.tolist()]
    blocks = [(start, block.copy()) for start, block in corpus.source.blocks(64, 8)]
    assert [start for start, _ in blocks] == [8, 72, 136]
    assert (np.vstack([block for _, block in blocks]) == X[order][8:]).all()
    assert (corpus.source.take(np.array([5, 5, 0])) == X[order][[5, 5, 0]]).all()
    assert (corpus.source.rows, corpus.source.dimensions, corpus.source.dtype) == (200, 32, np.dtype(np.float32))
    index.close()


def test_mixed_ids_cannot_be_streamed(tmp_path: Path) -> None:
    folder = shard_of(tmp_path / "theirs", [1, 2, UUIDS[0]], X[:3])
    with pytest.raises(InputError, match="has 2 numbers and 1 UUIDs as ids"):
        engine.source(str(folder), place=Place(tmp_path / "place"))


def test_attaching_leaves_the_shard_as_it_is(tmp_path: Path) -> None:
    folder = shard_of(tmp_path / "theirs", range(ROWS))
    before = digests(folder)
    index = engine.attach(str(folder), "l2", place=Place(tmp_path / "place"))
    second = engine.attach(str(folder), "l2", place=Place(tmp_path / "place"))
    corpus = engine.source(str(folder), place=Place(tmp_path / "place"))
    assert answers(index, Q) == answers(second, Q)
    assert index.state().indexed_rows == ROWS
    with pytest.raises(Incapable):
        index.delete([1])
    with pytest.raises(Incapable):
        index.update([1], Q[:1])
    with pytest.raises(Incapable):
        index.save(tmp_path / "x")
    index.close()
    second.close()
    assert digests(folder) == before
    del corpus
    assert list((tmp_path / "place").iterdir()) == []


def test_cosine_keeps_vectors_of_unit_length(tmp_path: Path) -> None:
    folder = shard_of(tmp_path / "theirs", range(200), X[:200], "Cosine")
    corpus = engine.source(str(folder), place=Place(tmp_path / "place"))
    kept = corpus.source.take(np.arange(200))
    assert np.allclose(kept, X[:200] / np.linalg.norm(X[:200], axis=1, keepdims=True), atol=1e-6)
    assert not np.allclose(kept, X[:200], atol=0.1)


def test_another_distance_is_refused(tmp_path: Path) -> None:
    folder = shard_of(tmp_path / "theirs", range(20), X[:20], "Dot")
    with pytest.raises(InputError, match="compares vectors by Dot and not by l2"):
        engine.attach(str(folder), "l2", place=Place(tmp_path / "place"))


def test_named_vectors_are_counted_apart(tmp_path: Path) -> None:
    params = {
        name: edge.EdgeVectorParams(size=size, distance=edge.Distance.Euclid) for name, size in (("a", 32), ("b", 8))
    }
    config = edge.EdgeConfig(
        vectors=params,
        hnsw_config=edge.HnswIndexConfig(m=8, ef_construct=40, full_scan_threshold=1, max_indexing_threads=1),
        optimizers=edge.EdgeOptimizersConfig(default_segment_number=1, indexing_threshold=1),
    )
    shard = edge.EdgeShard.create(str(tmp_path / "theirs"), config)
    points = [edge.Point(i, {"a": X[i].tolist(), "b": X[i, :8].tolist()}) for i in range(1000)]
    points += [edge.Point(i, {"b": X[i, :8].tolist()}) for i in range(1000, 1200)]
    shard.update(edge.UpdateOperation.upsert_points(points))
    shard.optimize()
    shard.flush()
    shard.close()
    place, named = Place(tmp_path / "place"), f"{tmp_path / 'theirs'}?vector=a"
    index = engine.attach(named, "l2", place=place)
    state = index.state()
    assert (state.rows, state.indexed_rows) == (1000, 1000)
    assert "points_count 1200, indexed_vectors_count 2200" in state.told  # it counts all vectors together
    index.configure({"hnsw_ef": 1000})
    assert share(answers(index, Q), nearest(X[:1000], Q, "l2")) > 0.99
    corpus = engine.source(named, place=place)
    assert corpus.ids.tolist() == list(range(1000))
    assert (corpus.source.take(np.array([3])) == X[3]).all()
    index.close()
    with pytest.raises(InputError, match=r"has no vector ''; name one as \?vector=NAME; it has: 'a', 'b'"):
        engine.attach(str(tmp_path / "theirs"), "l2", place=place)


def test_what_is_no_shard_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no shard of Qdrant: it has no segments"):
        engine.attach(str(tmp_path / "nowhere"), "l2", place=Place(tmp_path / "place"))
    with pytest.raises(UnknownName, match="unknown option vectr; did you mean vector"):
        engine.source(f"{tmp_path}?vectr=a", place=Place(tmp_path / "place"))
    folder = shard_of(tmp_path / "theirs", range(20), X[:20])
    for file in folder.glob("segments/*/*"):
        if file.name != "segment.json":
            shutil.rmtree(file) if file.is_dir() else file.write_bytes(b"?")
    with pytest.raises(EngineFailed, match="cannot open"):
        engine.attach(str(folder), "l2", place=Place(tmp_path / "place"))
    assert list((tmp_path / "place").iterdir()) == []


def test_two_stand_side_by_side_and_a_closed_one_is_closed(tmp_path: Path) -> None:
    one, other = built(tmp_path / "a"), built(tmp_path / "b", rows=-X)
    assert answers(one, Q) != answers(other, Q)
    one.close()
    one.close()
    assert share(answers(other, Q), nearest(-X, Q, "l2")) > 0.9
    other.close()
