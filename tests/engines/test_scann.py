"""ScaNN on small seeded vectors: what it is built of, what it answers, and where it misleads."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.brute import DIMENSIONS, ROWS, K, Q, X, answers, nearest, share
from truerecall import shelf
from truerecall.engines import _library
from truerecall.engines._scann_index import ScannIndex
from truerecall.engines.scann import engine
from truerecall.errors import Incapable, InputError, UnknownName
from truerecall.model.engine import Place, Settings
from truerecall.model.source import ArraySource


@pytest.fixture(autouse=True)
def installed() -> None:
    if engine.version() is None:
        pytest.skip("needs scann")


TREE: dict[str, Any] = {"num_leaves": 50, "reorder": "float32"}
KINDS: dict[str, tuple[dict[str, Any], str, set[str]]] = {
    "codes": ({}, "hash, exact_reordering", {"pre_reorder_num_neighbors"}),
    "tree": (TREE, "partitioning, hash, exact_reordering", {"pre_reorder_num_neighbors", "leaves_to_search"}),
    "bare codes": ({"reorder": "none", "hash_type": "lut256"}, "hash", set()),
    "tree of vectors": (
        {"num_leaves": 50, "dimensions_per_block": 0},
        "partitioning, brute_force",
        {"leaves_to_search"},
    ),
    "flat": ({"dimensions_per_block": 0}, "brute_force", set()),
}


def built(distance: str = "l2", rows: Any = X, seed: int = 0, **settings: Any) -> ScannIndex:
    return engine.build(ArraySource(rows), distance, settings, seed=seed, threads=1, place=Place(Path("nowhere")))


def test_it_stands_on_its_shelf() -> None:
    assert shelf.engines.get("scann") is engine


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_builds_searches_saves_and_loads(name: str, tmp_path: Path) -> None:
    settings, kind, names = KINDS[name]
    index = built(**settings)
    index.save(tmp_path / "index")
    state = index.state()
    assert (state.kind, state.rows, state.indexed_rows) == (kind, ROWS, ROWS)
    assert state.size_bytes == (tmp_path / "index").stat().st_size
    assert state.exact_by_design == (name == "flat") == (state.path == "full scan")
    offered = engine.search_settings(settings, distance="l2", dimensions=DIMENSIONS)
    assert {setting.name for setting in offered} == names == set(index.configure({}))
    found = answers(index)
    assert all(0 < len(set(row)) == len(row) <= K for row in found)  # a partition can hold fewer
    loaded = engine.load(tmp_path / "index", ArraySource(X), "l2", settings, threads=1, place=Place(tmp_path / "place"))
    assert loaded.state() == state
    assert answers(loaded) == found
    assert not list((tmp_path / "place").iterdir())


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine"])
def test_full_effort_and_the_flat_searcher_equal_brute_force(distance: str) -> None:
    scales = np.random.default_rng(3).uniform(0.1, 3, size=(ROWS, 1))
    rows = (X * scales).astype(np.float32)
    truth = nearest(rows, Q, distance)
    index = built(distance, rows, **TREE)
    index.configure({"leaves_to_search": 50, "pre_reorder_num_neighbors": ROWS})
    assert index.state().exhaustive == (distance != "cosine")
    assert answers(index) == truth
    prepared = index.prepare(Q)
    assert [index.exact(prepared[i : i + 1], K).tolist() for i in range(len(Q))] == truth
    assert index.state().transform == ("normalised, dot product" if distance == "cosine" else "none")


def test_more_effort_finds_more() -> None:
    index, truth = built(**TREE), nearest(X, Q, "l2")
    found = []
    for leaves, reordered in ((1, 10), (5, 50), (50, 500)):
        in_force = index.configure({"leaves_to_search": leaves, "pre_reorder_num_neighbors": reordered})
        assert in_force == {"leaves_to_search": leaves, "pre_reorder_num_neighbors": reordered}
        found.append(share(answers(index), truth))
    assert found[0] < found[1] < found[2] == 1.0
    assert index.configure({}) == {"leaves_to_search": 1, "pre_reorder_num_neighbors": 100}


def test_codes_without_reranking_have_a_ceiling() -> None:
    index = built(num_leaves=50, reorder="none")
    index.configure({"leaves_to_search": 50})
    assert share(answers(index), nearest(X, Q, "l2")) < 0.9
    assert not index.state().exhaustive


def test_no_more_neighbours_come_than_are_reranked() -> None:
    index = built(**TREE)
    [setting] = [s for s in engine.search_settings(TREE, distance="l2", dimensions=DIMENSIONS) if s.limits_answers]
    assert setting.name == "pre_reorder_num_neighbors"
    index.configure({"pre_reorder_num_neighbors": 20, "leaves_to_search": 50})
    assert {len(row) for row in answers(index, k=30)} == {20}


def test_a_batch_is_not_padded_with_row_0() -> None:
    index = built(**TREE)
    index.configure({"pre_reorder_num_neighbors": 600, "leaves_to_search": 1})
    prepared = index.prepare(Q)
    ids, far = index.searcher.search_batched(prepared, 600, 600, 1)
    assert ids.shape == (len(Q), 600)
    assert not ids[np.isnan(far)].any()
    lengths = (~np.isnan(far)).sum(axis=1)
    found = index.search_batch(prepared, 600)
    assert [row.tolist() for row in found] == [row[:n].tolist() for row, n in zip(ids, lengths, strict=True)]
    assert max(lengths) < 600
    assert {len(row) for row in answers(built(rows=X[:7], dimensions_per_block=0))} == {7}


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_equals_single_queries_where_no_partition_is_left_out(threads: int) -> None:
    index = engine.build(ArraySource(X), "l2", TREE, seed=0, threads=threads, place=Place(Path("nowhere")))
    index.configure({"leaves_to_search": 50})
    assert [row.tolist() for row in index.search_batch(index.prepare(Q), K)] == answers(index)


def test_a_batch_chooses_partitions_less_well_than_single_queries_do() -> None:
    index, truth = built(**TREE), nearest(X, Q, "l2")
    index.configure({"leaves_to_search": 2})
    single, batch = answers(index), [row.tolist() for row in index.search_batch(index.prepare(Q), K)]
    differing = sum(a != b for a, b in zip(single, batch, strict=True))
    assert 0 < differing < len(Q) / 2
    assert share(batch, truth) <= share(single, truth)


def test_the_seed_decides(tmp_path: Path) -> None:
    contents = []
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        built(seed=seed, **TREE).save(tmp_path / name)
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1] != contents[2]


def test_it_is_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    answers(built(**TREE))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"reorder": "float64"}, "unknown reorder float64; did you mean bfloat16"),
        ({"hash_type": "lut32"}, "unknown hash_type lut32"),
        ({"dimensions_per_block": 33}, "dimensions_per_block is 33 of 32 dimensions"),
        ({"dimensions_per_block": 0, "reorder": "int8"}, "reorder means nothing without codes"),
        ({"num_leaves": -1}, "num_leaves is -1"),
    ],
)
def test_an_impossible_build_is_refused_before_it_begins(settings: Settings, words: str) -> None:
    with pytest.raises(InputError) as caught:
        engine.search_settings(settings, distance="l2", dimensions=DIMENSIONS)
    assert str(caught.value).startswith(words)


def test_names_and_values_that_it_does_not_know() -> None:
    index = built(**TREE)
    with pytest.raises(UnknownName, match="did you mean leaves_to_search"):
        index.configure({"leaves_to_serch": 4})
    # Left to itself ScaNN takes any number of leaves, below none and beyond all.
    for value in (0, 51):
        with pytest.raises(InputError, match=f"leaves_to_search is {value}; give a whole number from 1 to 50"):
            index.configure({"leaves_to_search": value})
    with pytest.raises(InputError, match=r"over 20 rows: Number of points \(20\) is less than the number of clusters"):
        built(rows=X[:20], **TREE)


def test_a_query_that_is_not_finite_fails() -> None:
    with pytest.raises(RuntimeError, match="NaNs or infinity"):
        built().search(np.full((1, DIMENSIONS), np.nan, np.float32), K)


def test_a_zero_query_under_cosine_has_an_answer_that_means_nothing() -> None:
    index = built("cosine", dimensions_per_block=0)
    assert answers(index, np.zeros((1, DIMENSIONS), np.float32)) == [list(range(K))]


def test_the_inputs_stay_as_they_are_and_a_cast_is_declared() -> None:
    rows = X.astype(np.float64)
    before = rows.copy()
    index = built(rows=rows, dimensions_per_block=0)
    assert (rows == before).all()
    assert index.state().transform == "cast from float64 to float32"
    assert not index.state().exact_by_design


def test_a_file_that_is_no_searcher_or_of_another_corpus(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"nothing of the kind")
    place = Place(tmp_path / "place")
    with pytest.raises(InputError, match="is no saved index"):
        engine.load(tmp_path / "x", ArraySource(X), "l2", {}, threads=1, place=place)
    built().save(tmp_path / "y")
    with pytest.raises(InputError, match="holds 3000 rows, 32 dimensions, l2 distance"):
        engine.load(tmp_path / "y", ArraySource(X[:5]), "l2", {}, threads=1, place=place)


def test_what_it_does_not_offer_it_refuses_by_name() -> None:
    for act in (lambda: built().delete([1]), lambda: engine.attach("x", "l2", place=Place(Path("x")))):
        with pytest.raises(Incapable, match="scann cannot"):
            act()


def test_a_third_partys_package_of_the_same_module_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def only_scann_core(package: str) -> str:
        if package != "scann-core":
            raise PackageNotFoundError(package)
        return "0.2.1"

    monkeypatch.setattr(_library, "version", only_scann_core)
    assert engine.version() is None
