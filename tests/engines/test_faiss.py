"""The FAISS engine on small seeded vectors: every kind of index, its settings, its state and its counters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pytest

from truerecall import shelf
from truerecall.engines._faiss_layers import search_knobs
from truerecall.engines.faiss import engine
from truerecall.errors import InputError, UnknownName
from truerecall.model.attributes import Attributes, Column
from truerecall.model.engine import Index, Place, Settings
from truerecall.model.filter import Compared, Filter
from truerecall.model.source import ArraySource

DIMENSIONS = 32
NOWHERE = Place(Path("nowhere"))
ROWS = 2000
K = 10
X = np.random.default_rng(1).normal(size=(ROWS, DIMENSIONS)).astype(np.float32)
Q = np.random.default_rng(2).normal(size=(20, DIMENSIONS)).astype(np.float32)
FACTORIES = {
    "Flat": ("IndexFlat", set()),
    "IDMap,Flat": ("IndexIDMap(IndexFlat)", set()),
    "HNSW16": ("IndexHNSWFlat", {"efSearch"}),
    "IDMap,HNSW16": ("IndexIDMap(IndexHNSWFlat)", {"efSearch"}),
    "HNSW16,SQ8": ("IndexHNSWSQ", {"efSearch"}),
    "HNSW16_PQ8x4": ("IndexHNSWPQ without polysemous training", {"efSearch"}),
    "NSG16": ("IndexNSGFlat", {"search_L"}),
    "IVF16,Flat": ("IndexIVFFlat", {"nprobe", "max_codes"}),
    "IVF16,PQ8x4": ("IndexIVFPQ without polysemous training", {"nprobe", "max_codes"}),
    "IVF16,PQ8x4fs": ("IndexIVFPQFastScan", {"nprobe"}),
    "IVF16,SQ8": ("IndexIVFScalarQuantizer", {"nprobe", "max_codes"}),
    "IVF16_HNSW8,Flat": ("IndexIVFFlat", {"nprobe", "max_codes", "quantizer_efSearch"}),
    "PCA16,IVF16,Flat": ("IndexPreTransform(IndexIVFFlat)", {"nprobe", "max_codes"}),
    "OPQ8,IVF16,PQ8x4": (
        "IndexPreTransform(IndexIVFPQ) without polysemous training",
        {"nprobe", "max_codes"},
    ),
    "IVF16,PQ8x4,RFlat": (
        "IndexRefineFlat(IndexIVFPQ) without polysemous training",
        {"nprobe", "max_codes", "k_factor_rf"},
    ),
    "Flat,RFlat": ("IndexRefineFlat(IndexFlat)", {"k_factor_rf"}),
    "PQ8x4": ("IndexPQ without polysemous training", set()),
    "SQ8": ("IndexScalarQuantizer", set()),
}


def built(factory: str, distance: str = "l2", rows: Any = X, seed: int = 0, **settings: Any) -> Index:
    return engine.build(
        ArraySource(rows), distance, {"factory": factory, **settings}, seed=seed, threads=1, place=NOWHERE
    )


def answers(index: Index, queries: Any = Q, k: int = K) -> list[list[int]]:
    prepared = index.prepare(queries)
    return [np.asarray(index.search(prepared[i : i + 1], k)).tolist() for i in range(len(prepared))]


def nearest(rows: Any, queries: Any, distance: str) -> list[list[int]]:
    x, q = rows.astype(np.float64), queries.astype(np.float64)
    if distance == "l2":
        values = ((q[:, None, :] - x[None, :, :]) ** 2).sum(2)
    else:
        values = -(q @ x.T)
        if distance == "cosine":
            values = values / np.linalg.norm(x, axis=1)
    return [row.tolist() for row in np.argsort(values, axis=1, kind="stable")[:, :K]]


def test_it_stands_on_its_shelf() -> None:
    assert shelf.engines.get("faiss") is engine
    assert engine.version() == faiss.__version__


@pytest.mark.parametrize("factory", FACTORIES)
def test_every_kind_builds_searches_saves_and_loads(factory: str, tmp_path: Path) -> None:
    kind, names = FACTORIES[factory]
    index = built(factory)
    state = index.state()
    assert (state.kind, state.rows, state.indexed_rows, state.trained) == (kind, ROWS, ROWS, True)
    assert state.exact_by_design == (factory in ("Flat", "IDMap,Flat", "Flat,RFlat"))
    offered = engine.search_settings({"factory": factory}, distance="l2", dimensions=DIMENSIONS)
    assert {setting.name for setting in offered} == names
    assert set(index.configure({})) == names
    found = answers(index)
    assert all(len(set(row)) == len(row) <= K and set(row) <= set(range(ROWS)) for row in found)
    index.save(tmp_path / "index")
    assert state.size_bytes == (tmp_path / "index").stat().st_size
    loaded = engine.load(tmp_path / "index", ArraySource(X), "l2", {"factory": factory}, threads=1, place=NOWHERE)
    assert loaded.state() == state
    assert loaded.configure({}) == index.configure({})
    assert answers(loaded) == found


@pytest.mark.parametrize("factory", FACTORIES)
def test_the_settings_are_those_that_faiss_itself_lists(factory: str) -> None:
    index = faiss.index_factory(DIMENSIONS, factory)
    space = faiss.ParameterSpace()
    space.initialize(index)
    listed = {space.parameter_ranges.at(i).name for i in range(space.parameter_ranges.size())}
    assert listed <= {knob.setting.name for knob in search_knobs(index, polysemous=True)}


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_flat_equals_brute_force(distance: str, dtype: str) -> None:
    scales = np.random.default_rng(3).uniform(0.1, 10, size=(ROWS, 1))
    rows, queries = (X * scales).astype(dtype), Q.astype(dtype)
    before = rows.copy()
    index = built("Flat", distance, rows)
    assert answers(index, queries) == nearest(rows, queries, distance)
    assert (rows == before).all()
    cast = [] if dtype == "float32" else [f"cast from {dtype} to float32"]
    unit = ["normalised, inner product"] if distance == "cosine" else []
    assert index.state().transform == (", ".join(cast + unit) or "none")
    assert index.state().exact_by_design == (dtype != "float64")


def test_a_zero_vector_stays_zero() -> None:
    index = built("Flat", "cosine", np.vstack([np.zeros((1, DIMENSIONS), np.float32), X]))
    assert not index.prepare(np.zeros((1, DIMENSIONS)))[0].any()
    assert len(answers(index)[0]) == K


@pytest.mark.parametrize(
    ("factory", "name", "near"),
    [("HNSW32", "efSerch", "efSearch"), ("IVF16,Flat", "nprob", "nprobe"), ("Flat,RFlat", "k_factor", "k_factor_rf")],
)
def test_an_unknown_setting_is_refused_with_a_suggestion(factory: str, name: str, near: str) -> None:
    index = built(factory)
    with pytest.raises(UnknownName, match=f"unknown setting {name}; did you mean {near}"):
        index.configure({name: 4})
    with pytest.raises(UnknownName, match="did you mean efConstruction"):
        engine.search_settings({"factory": factory, "efConstuction": 40}, distance="l2", dimensions=DIMENSIONS)


@pytest.mark.parametrize(
    ("factory", "settings", "words"),
    [
        ("IVF16,Flat", {"nprobe": 17}, "nprobe is 17; give a whole number from 1 to 16"),
        ("IVF16,Flat", {"nprobe": 0}, "nprobe is 0"),
        ("IVF16,Flat", {"nprobe": 2.5}, "nprobe is 2.5"),
        ("IVF16,Flat", {"nprobe": True}, "nprobe is True"),
        ("IVF16,Flat", {"nprobe": "4"}, "nprobe is '4'"),
        ("IVF16,Flat", {"nprobe": 4, "NPROBE": 5}, "nprobe is set twice"),
        ("Flat,RFlat", {"k_factor_rf": 0.5}, "k_factor_rf is 0.5; give a number from 1 to 1000"),
        ("HNSW16", {"efSearch": -1}, "efSearch is -1"),
    ],
)
def test_values_that_faiss_would_clamp_or_choke_on_are_refused(factory: str, settings: Settings, words: str) -> None:
    with pytest.raises(InputError) as caught:
        built(factory).configure(settings)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    ("build", "distance", "words"),
    [
        ({"factory": "Frobnicate"}, "l2", "could not parse index string Frobnicate"),
        ({"factory": "PQ7"}, "l2", "should be a multiple of the number of subquantizers"),
        ({"factory": "IVF16,Flatt"}, "l2", "could not parse code description Flatt in IVF16,Flatt"),
        ({"factory": "LSH"}, "ip", "metric == METRIC_L2"),
        ({"factory": "PCA64,Flat"}, "l2", "asks for 64 of 32 dimensions"),
        ({"factory": "Flat", "efConstruction": 40}, "l2", "efConstruction means nothing to IndexFlat"),
        ({"factory": "HNSW16", "efConstruction": 0}, "l2", "efConstruction is 0"),
        ({"efConstruction": 40}, "l2", "factory is not set"),
    ],
)
def test_an_impossible_build_is_refused_before_it_begins(build: Settings, distance: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        engine.search_settings(build, distance=distance, dimensions=DIMENSIONS)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert ".cpp" not in str(caught.value)


def test_too_few_rows_to_train_on_is_the_users_to_mend() -> None:
    with pytest.raises(InputError) as caught:
        built("IVF16,Flat", rows=X[:10])
    assert str(caught.value) == (
        "FAISS cannot train IVF16,Flat on 10 rows: Number of training points (10) should be at least as large as "
        "number of clusters (16); choose another factory string, or give more rows"
    )


def test_configure_puts_back_what_is_not_given() -> None:
    index = built("IVF16,PQ8x4,RFlat")
    assert index.configure({"nprobe": 4, "k-factor-rf": 8}) == {"k_factor_rf": 8.0, "nprobe": 4, "max_codes": 0}
    assert index.configure({"max_codes": 50}) == {"k_factor_rf": 1.0, "nprobe": 1, "max_codes": 50}


def test_a_short_answer_is_short() -> None:
    assert [len(row) for row in answers(built("Flat", rows=X[:4]), k=7)] == [4] * len(Q)
    lists = built("IVF16,Flat")
    lists.configure({"nprobe": 1})
    lengths = [len(row) for row in answers(lists, k=1000)]
    assert 0 < max(lengths) < 1000


def test_more_effort_costs_more_and_finds_more() -> None:
    truth = nearest(X, Q, "l2")
    for factory, name, values in (("HNSW16", "efSearch", (4, 32, 256)), ("IVF16,Flat", "nprobe", (1, 4, 16))):
        index = built(factory)
        spent, hits = [], []
        for value in values:
            assert index.configure({name: value})[name] == value
            index.reset_cost()
            found = answers(index)
            spent.append(index.cost()["distance_computations"])
            hits.append(sum(len(set(a) & set(b)) for a, b in zip(found, truth, strict=True)))
        assert spent[0] < spent[1] < spent[2]
        assert hits[0] < hits[1] < hits[2]
        assert hits[2] > 0.95 * K * len(Q)


def test_what_the_counters_count() -> None:
    for factory in ("IVF16,Flat", "IVF16,SQ8", "IVF16,PQ8x4fs", "PCA16,IVF16,Flat", "IVF16,SQ8,RFlat"):
        lists = built(factory)
        lists.configure({"nprobe": 16})
        lists.reset_cost()
        answers(lists)
        assert lists.cost() == {
            "distance_computations": (ROWS + 16) * len(Q),
            "coarse_distance_computations": 16 * len(Q),
            "lists_visited": 16 * len(Q),
        }
        lists.reset_cost()
        assert set(lists.cost().values()) == {0}
    coarse = built("IVF16_HNSW8,Flat")
    coarse.reset_cost()
    answers(coarse)
    assert coarse.cost()["lists_visited"] == len(Q)
    assert 0 < coarse.cost()["coarse_distance_computations"] <= 2 * 16 * len(Q)
    assert set(built("HNSW16").cost()) == {"distance_computations", "hops"}
    assert built("Flat").cost() == built("SQ8").cost() == {}


def test_max_codes_bounds_what_is_visited() -> None:
    index = built("IVF16,Flat")
    spent = []
    for codes in (0, 200):
        index.configure({"nprobe": 16, "max_codes": codes})
        index.reset_cost()
        answers(index)
        spent.append(index.cost()["distance_computations"])
    assert spent[1] < spent[0] / 4


def test_ht_is_offered_where_the_codes_were_trained_for_it() -> None:
    with pytest.raises(UnknownName):
        built("IVF16,PQ4x4").configure({"ht": 8})
    index = built("IVF16,PQ4x4", do_polysemous_training=1)
    assert index.state().kind == "IndexIVFPQ"
    assert index.configure({})["ht"] == 16
    assert index.configure({"ht": 3})["ht"] == 3
    assert min(len(row) for row in answers(index, k=100)) < 100
    flat = built("PQ4x4", do_polysemous_training=1)
    assert flat.configure({})["ht"] == 16
    assert flat.configure({"ht": 3})["ht"] == 3


@pytest.mark.parametrize("factory", ["HNSW16", "IVF16,Flat", "PQ4x4", "OPQ4,IVF16,PQ4x4"])
def test_the_seed_decides(factory: str, tmp_path: Path) -> None:
    contents = []
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        built(factory, seed=seed).save(tmp_path / name)
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1] != contents[2]


def test_build_settings_reach_the_index() -> None:
    assert [setting.default for setting in engine.build_settings if setting.name == "efConstruction"] == [
        faiss.IndexHNSWFlat(4, 4).hnsw.efConstruction
    ]
    hits = []
    truth = nearest(X, Q, "l2")
    for value in (4, 200):
        index = built("HNSW16", efConstruction=value)
        hits.append(sum(len(set(a) & set(b)) for a, b in zip(answers(index), truth, strict=True)))
    assert hits[0] < hits[1]


def test_threads_are_put_back() -> None:
    before = faiss.omp_get_max_threads()
    engine.build(ArraySource(X), "l2", {"factory": "HNSW16"}, seed=0, threads=before + 1, place=NOWHERE)
    assert faiss.omp_get_max_threads() == before


def test_a_file_that_is_no_index_or_of_another_corpus(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match="is no FAISS index"):
        engine.load(tmp_path / "x", ArraySource(X), "l2", {"factory": "Flat"}, threads=1, place=NOWHERE)
    built("Flat").save(tmp_path / "y")
    with pytest.raises(InputError, match="holds 2000 rows of 32 dimensions and array 5 of 32"):
        engine.load(tmp_path / "y", ArraySource(X[:5]), "l2", {"factory": "Flat"}, threads=1, place=NOWHERE)


@pytest.mark.parametrize("distance", ["l2", "ip"])
def test_values_that_float32_cannot_hold_are_refused(distance: str) -> None:
    rows = X.astype(np.float64)
    rows[7, 3] = 1e39
    with pytest.raises(InputError, match=r"beyond 3\.4e\+38.*scale the vectors down"):
        engine.build(ArraySource(rows), distance, {"factory": "Flat"}, seed=0, threads=1, place=NOWHERE)
    index = engine.build(ArraySource(rows), "cosine", {"factory": "Flat"}, seed=0, threads=1, place=NOWHERE)
    assert index.search(index.prepare(rows[7:8]), 1).tolist() == [7]


@pytest.mark.parametrize(
    ("factory", "settings", "path", "told", "exhaustive"),
    [
        ("Flat", {}, "full scan", "IndexFlat", True),
        ("IDMap,Flat", {}, "full scan", "IndexFlat", True),
        ("Flat,RFlat", {}, "full scan", "IndexFlat", True),
        ("PCA16,Flat", {}, "full scan", "IndexFlat", False),
        ("SQ8", {}, "full scan", "IndexScalarQuantizer", False),
        ("PQ8x4fs", {}, "full scan", "IndexPQFastScan", False),
        ("HNSW16", {"efSearch": ROWS}, "index", "IndexHNSWFlat", False),
        ("NSG16", {}, "index", "IndexNSGFlat", False),
        ("IVF16,Flat", {"nprobe": 15}, "index", "IndexIVFFlat, nprobe 15 of nlist 16", False),
        ("IVF16,Flat", {"nprobe": 16}, "index", "IndexIVFFlat, nprobe 16 of nlist 16", True),
        (
            "IVF16,Flat",
            {"nprobe": 16, "max_codes": ROWS},
            "index",
            f"IndexIVFFlat, nprobe 16 of nlist 16, max_codes {ROWS}",
            False,
        ),
        ("IVF16_HNSW8,Flat", {"nprobe": 16}, "index", "IndexIVFFlat, nprobe 16 of nlist 16", False),
        ("IVF16,Flat,RFlat", {"nprobe": 16}, "index", "IndexIVFFlat, nprobe 16 of nlist 16", True),
        ("IVF16,SQ8", {"nprobe": 16}, "index", "IndexIVFScalarQuantizer, nprobe 16 of nlist 16", False),
        ("IVF16,SQ8,RFlat", {"nprobe": 16, "k_factor_rf": 1000}, "index", None, False),
        ("IVF16,PQ8x4fs", {"nprobe": 16}, "index", "IndexIVFPQFastScan, nprobe 16 of nlist 16", False),
    ],
)
def test_how_it_answers_at_a_setting(
    factory: str, settings: Settings, path: str, told: str | None, exhaustive: bool
) -> None:
    index = built(factory)
    index.configure(settings)
    state = index.state()
    assert (state.path, state.exhaustive) == (path, exhaustive)
    assert told in (None, state.told)
    if exhaustive:
        assert answers(index) == nearest(X, Q, "l2")


def test_nothing_is_exhaustive_after_a_cast_that_loses_digits() -> None:
    for dtype, kept in (("float16", True), ("int8", True), ("float64", False)):
        index = built("IVF16,Flat", rows=(10 * X).astype(dtype))
        index.configure({"nprobe": 16})
        assert index.state().exhaustive is kept


def test_how_many_vectors_are_scanned() -> None:
    for factory in ("Flat", "IDMap,Flat", "PCA16,Flat", "SQ8", "PQ8x4", "PQ8x4fs", "LSH"):
        assert built(factory).vectors_scanned(K) == ROWS
    refined = built("PQ8x4,RFlat")
    refined.configure({"k_factor_rf": 2.5})
    assert [refined.vectors_scanned(k) for k in (1, 10, 1000)] == [ROWS + 2, ROWS + 25, 2 * ROWS]
    assert built("HNSW16").vectors_scanned(K) is built("IVF16,Flat").vectors_scanned(K) is None


def test_a_batch_uses_the_threads_of_the_index_and_puts_them_back(monkeypatch: pytest.MonkeyPatch) -> None:
    index: Any = engine.build(ArraySource(X), "l2", {"factory": "IVF16,Flat"}, seed=0, threads=3, place=NOWHERE)
    told: list[int] = []
    search = index.index.search

    def asked(*args: Any, **more: Any) -> Any:
        told.append(faiss.omp_get_max_threads())
        return search(*args, **more)

    monkeypatch.setattr(index.index, "search", asked)
    before = faiss.omp_get_max_threads()
    index.search_batch(index.prepare(Q), K)
    index.search(index.prepare(Q)[:1], K)
    assert told == [3, before]
    assert faiss.omp_get_max_threads() == before


def test_max_codes_is_no_limit_of_answers_at_zero() -> None:
    offered = engine.search_settings({"factory": "IVF16,Flat"}, distance="l2", dimensions=DIMENSIONS)
    assert not any(setting.limits_answers for setting in offered)
    index = built("IVF16,Flat")
    index.configure({"nprobe": 16, "max_codes": 50})
    assert {len(row) for row in answers(index, k=100)} == {50}


@pytest.mark.parametrize(
    "factory",
    ["PQ4x4", "PQ4x4fs", "IVF8,PQ4x4fs", "LSH", "PQ4x4fs,RFlat", "IVF8,PQ4+8", "IVF8,RQ4x4", "NSG16", "OPQ4,PQ4x4"],
)
def test_what_cannot_be_searched_behind_a_filter_is_refused_before_it_is_trained(factory: str) -> None:
    held = Attributes({"g": Column(np.arange(len(X)) % 10, np.zeros(len(X), np.bool_))})
    with pytest.raises(InputError, match="FAISS cannot search some rows of Index"):
        engine.build(ArraySource(X), "l2", {"factory": factory}, seed=0, threads=1, place=NOWHERE, attributes=held)


@pytest.mark.parametrize("factory", ["HNSW16", "IVF16,Flat", "PCA8,IVF16,Flat", "IVF16,PQ4x4,RFlat", "IDMap,HNSW16"])
def test_behind_a_filter_what_was_set_still_holds(factory: str) -> None:
    held = Attributes({"g": Column(np.arange(len(X)) % 10, np.zeros(len(X), np.bool_))})
    index = engine.build(ArraySource(X), "l2", {"factory": factory}, seed=0, threads=1, place=NOWHERE, attributes=held)
    every = Filter(Compared("g", ">=", 0))
    for own in index.searchable:
        if own.name in ("efSearch", "nprobe", "k_factor"):
            for value in (1, 4, 16):
                index.restrict(None)
                index.configure({own.name: own.kind(value)})
                plain = answers(index)
                index.restrict(every)
                assert answers(index) == plain, f"{own.name}={value} is not in force behind a filter"


BY_SELECTOR = (
    "Flat", "SQ8", "HNSW16", "HNSW16,SQ8", "HNSW16,PQ4x4", "HNSW16,FlatPanorama4", "IVF8,Flat", "IVF8,SQ8",
    "IVF8,PQ4x4", "IVF8,RaBitQ", "IVF8,FlatDedup", "IVF8,FlatPanorama4", "IVF8_HNSW16,Flat", "PCA8,Flat", "RR8,SQ4",
    "OPQ4,IVF8,PQ4x4", "L2norm,Flat", "IDMap,Flat", "IDMap,PCA8,Flat", "IDMap2,HNSW16", "Flat,RFlat", "SQ4,Refine(SQ8)",
    "HNSW16,RFlat", "PCA8,HNSW16,RFlat", "IVF8,PQ4x4,RFlat", "IVF8,PQ4x4,Refine(SQ8)",
)  # fmt: skip


@pytest.mark.parametrize("factory", BY_SELECTOR)
def test_no_kind_of_index_passes_over_a_selector(factory: str) -> None:
    """Whatever it is wrapped in, one by one and in a batch large enough for BLAS."""
    held = Attributes({"g": Column(np.arange(len(X)) % 10, np.zeros(len(X), np.bool_))})
    index = engine.build(ArraySource(X), "l2", {"factory": factory}, seed=0, threads=1, place=NOWHERE, attributes=held)
    index.restrict(Filter(Compared("g", "=", 3)))
    queries = index.prepare(X[:40])
    for found in ([index.search(query[None], 10) for query in queries], index.search_batch(queries, 10)):
        assert {int(row) % 10 for own in found for row in own} == {3}
        assert np.mean([len(own) for own in found]) > 5
    index.restrict(Filter(Compared("g", ">", 9)))
    assert [len(own) for own in index.search_batch(queries, 10)] == [0] * 40
    assert len(index.search(queries[:1], 10)) == 0
