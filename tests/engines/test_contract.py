"""What every engine on the shelf promises, asked of each by discovery, and of several indexes where it has several."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerecall import shelf
from truerecall.errors import InputError, UnknownName
from truerecall.kernels.distances import order_keys
from truerecall.model.arrays import Vectors
from truerecall.model.engine import Engine, Index, Place, Settings
from truerecall.model.source import ArraySource, CorpusSource

NOWHERE = Place(Path("nowhere"))
ROWS, DIMENSIONS, K = 1200, 16, 10
X = np.random.default_rng(1).normal(size=(ROWS, DIMENSIONS)).astype(np.float32)
Q = np.random.default_rng(2).normal(size=(24, DIMENSIONS)).astype(np.float32)

BUILDS: dict[str, list[Settings]] = {
    "faiss": [{"factory": name} for name in ("Flat", "HNSW16", "IVF8,Flat", "IDMap,Flat", "IVF8,PQ4x4,RFlat")]
}
"""What is built of an engine that must be told something; of all others one with its defaults."""
CASES = [(name, build) for name in shelf.engines.names() for build in BUILDS.get(name, [{}])]


@dataclass(frozen=True, eq=False)
class Reused:
    """A source whose blocks lie in one buffer, each overwritten by the next, as a file reader's may."""

    vectors: Vectors
    name: str = "reused"
    bits: int | None = None

    @property
    def rows(self) -> int:
        return len(self.vectors)

    @property
    def dimensions(self) -> int:
        return int(self.vectors.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.vectors.dtype

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        buffer = np.empty((100, self.dimensions), self.dtype)
        for first in range(start, self.rows, 100):
            piece = self.vectors[first : first + 100]
            buffer[: len(piece)] = piece
            yield first, buffer[: len(piece)]

    def take(self, rows: Any) -> Vectors:
        taken: Vectors = self.vectors[rows]
        return taken


def engine_of(name: str) -> Engine:
    engine: Engine = shelf.engines.get(name)
    return engine


def built(name: str, build: Settings, *, distance: str = "l2", source: CorpusSource | None = None) -> Index:
    return engine_of(name).build(source or ArraySource(X), distance, build, seed=3, threads=1, place=NOWHERE)


def most(index: Index, name: str, build: Settings, distance: str = "l2") -> Settings:
    """The index at its greatest effort: every setting that is one of effort at its maximum, or above all rows."""
    offered = engine_of(name).search_settings(build, distance=distance, dimensions=DIMENSIONS)
    efforts = [setting for setting in offered if setting.more_is_more_effort]
    return index.configure({s.name: s.kind(min(s.maximum or np.inf, 2 * ROWS)) for s in efforts})


def answers(index: Index, queries: Vectors = Q, k: int = K) -> list[list[int]]:
    prepared = index.prepare(queries)
    return [np.asarray(index.search(prepared[i : i + 1], k)).tolist() for i in range(len(prepared))]


def nearest(rows: Vectors, queries: Vectors, distance: str, k: int = K) -> list[list[int]]:
    return [np.argsort(order_keys(distance, query, rows), kind="stable")[:k].tolist() for query in queries]


def recall(truth: list[list[int]], found: list[list[int]]) -> float:
    return float(np.mean([len(set(a) & set(b)) / len(a) for a, b in zip(truth, found, strict=True)]))


@pytest.mark.parametrize(("name", "build"), CASES)
def test_answers_are_rows_once_each_and_sorted(name: str, build: Settings) -> None:
    index = built(name, build)
    for k in (1, K, 50):
        for query, found in zip(Q, answers(index, k=k), strict=True):
            assert 0 < len(found) == len(set(found)) <= k
            assert set(found) <= set(range(ROWS))
            keys = order_keys("l2", query, X[found])
            assert (np.diff(keys) >= -1e-5 * keys[1:]).all()


@pytest.mark.parametrize(("name", "build"), CASES)
def test_a_small_corpus_gives_a_short_answer(name: str, build: Settings) -> None:
    index = built(name, build, source=ArraySource(X[:20]))
    most(index, name, build)
    for found in answers(index, k=50):
        assert sorted(found) == list(range(20))
    prepared = index.prepare(Q)
    for count in (1, 2, len(Q)):
        assert [sorted(found) for found in index.search_batch(prepared[:count], 50)] == [[*range(20)]] * count


@pytest.mark.parametrize(("name", "build"), CASES)
def test_what_is_given_stays_as_it_is(name: str, build: Settings) -> None:
    for distance in engine_of(name).distances:
        if distance != "hamming":
            rows, queries = X.copy(), Q.copy()
            index = built(name, build, distance=distance, source=ArraySource(rows))
            answers(index, queries)
            index.search_batch(index.prepare(queries), K)
            assert (rows == X).all()
            assert (queries == Q).all()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("name", "build"), CASES)
def test_a_batch_answers_as_single_queries_do(name: str, build: Settings, threads: int, tmp_path: Path) -> None:
    index = built(name, build)
    index.save(tmp_path / "index")
    index = engine_of(name).load(tmp_path / "index", ArraySource(X), "l2", build, threads=threads, place=NOWHERE)
    prepared = index.prepare(Q)
    for count in (1, 2, 5, len(Q)):  # FAISS compares twenty flat queries or more by another formula
        batch = [list(found) for found in index.search_batch(prepared[:count], K)]
        assert recall(answers(index)[:count], batch) == 1


@pytest.mark.parametrize(("name", "build"), CASES)
def test_settings_are_read_back_and_unknown_ones_refused(name: str, build: Settings) -> None:
    index, engine = built(name, build), engine_of(name)
    offered = engine.search_settings(build, distance="l2", dimensions=DIMENSIONS)
    defaults = index.configure({})
    assert defaults == {setting.name: setting.default for setting in offered}
    for setting in offered:
        given = setting.kind(3)
        assert index.configure({setting.name.upper(): given}) == {**defaults, setting.name: given}
        assert index.configure({}) == defaults
        with pytest.raises(UnknownName, match=f"did you mean {setting.name}"):
            index.configure({setting.name + "s": given})
        with pytest.raises(InputError):
            index.configure({setting.name: "three"})
    for own in engine.build_settings:
        with pytest.raises(UnknownName, match=f"did you mean {own.name}"):
            engine.search_settings({**build, own.name + "x": 1}, distance="l2", dimensions=DIMENSIONS)
    with pytest.raises(UnknownName):
        index.configure({"frobnicate": 1})
    with pytest.raises(UnknownName):
        engine.build(ArraySource(X), "l2", {**build, "frobnicate": 1}, seed=0, threads=1, place=NOWHERE)


@pytest.mark.parametrize(("name", "build"), CASES)
def test_a_loaded_index_behaves_like_the_one_saved(name: str, build: Settings, tmp_path: Path) -> None:
    index = built(name, build)
    most(index, name, build)
    path = tmp_path / "an.index"
    index.save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["an.index"]
    loaded = engine_of(name).load(path, ArraySource(X), "l2", build, threads=1, place=NOWHERE)
    assert loaded.configure({}) == index.configure({})
    assert loaded.state() == index.state()
    assert answers(loaded) == answers(index)
    assert loaded.cost() == index.cost()
    (tmp_path / "torn").write_bytes(path.read_bytes()[:40])
    for other, source in (("torn", X), ("an.index", X[:-1]), ("an.index", X[:, :-1])):
        with pytest.raises(InputError, match="build it again"):
            engine_of(name).load(tmp_path / other, ArraySource(source), "l2", build, threads=1, place=NOWHERE)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint8"])
@pytest.mark.parametrize(("name", "build"), CASES)
def test_each_distance_is_the_one_that_it_is_called(name: str, build: Settings, dtype: str) -> None:
    rows, queries = stretched(dtype)
    for distance in engine_of(name).distances:
        if distance == "hamming" and dtype != "uint8":
            continue
        index = built(name, build, distance=distance, source=ArraySource(rows))
        most(index, name, build, distance)
        truth = nearest(rows, queries, distance)
        found = answers(index, queries)
        state = index.state()
        if not state.exhaustive:
            assert recall(truth, found) > 0.9, distance
        elif dtype.startswith("float"):
            assert found == truth, distance
        else:  # equal distances are many among whole numbers
            for query, came, due in zip(queries, found, truth, strict=True):
                own, best = (order_keys(distance, query, rows[list_]) for list_ in (came, due))
                assert np.allclose(own, best, rtol=1e-6, atol=1e-6), distance
        assert state.exact_by_design or dtype == "float32" or dtype in state.transform, "a cast that nobody was told of"


def stretched(dtype: str) -> tuple[Vectors, Vectors]:
    """Rows of many lengths and queries, in this element type."""
    rows: Vectors = X * np.random.default_rng(3).uniform(0.2, 5, size=(ROWS, 1))
    queries: Vectors = Q
    if dtype.endswith("int8"):
        bounds = np.iinfo(dtype)
        middle = 50 if dtype == "uint8" else 0
        rows, queries = (np.clip(np.rint(20 * part + middle), bounds.min, bounds.max) for part in (rows, queries))
    return rows.astype(dtype), queries.astype(dtype)


@pytest.mark.parametrize(("name", "build"), CASES)
def test_rows_are_called_by_their_place_in_the_source(name: str, build: Settings) -> None:
    order = np.random.default_rng(5).permutation(ROWS)
    straight, shuffled = built(name, build), built(name, build, source=Reused(X[order]))
    for index in (straight, shuffled):
        most(index, name, build)
    truth = nearest(X, Q, "l2")
    assert recall(truth, answers(straight)) > 0.95
    assert recall(truth, [order[found].tolist() for found in answers(shuffled)]) > 0.95


@pytest.mark.parametrize(("name", "build"), CASES)
def test_two_indexes_side_by_side(name: str, build: Settings) -> None:
    first, second = built(name, build), built(name, build, source=ArraySource(X[::-1].copy()))
    before = answers(first), answers(second)
    most(second, name, build)
    assert answers(first) == before[0]
    second.configure({})
    assert answers(second) == before[1]
    first.close()
    assert answers(second) == before[1]


@pytest.mark.parametrize(("name", "build"), CASES)
def test_closing_lets_the_memory_go(name: str, build: Settings) -> None:
    index = built(name, build)
    held = dict(vars(index))
    index.close()
    gone = [weakref.ref(value) for field, value in held.items() if vars(index)[field] is None and value is not None]
    held.clear()
    gc.collect()
    assert gone
    assert not any(reference() is not None for reference in gone)


@pytest.mark.parametrize(("name", "build"), CASES)
def test_what_an_index_says_of_itself(name: str, build: Settings) -> None:
    index = built(name, build)
    prepared = index.prepare(Q)
    for _ in range(2):
        state = index.state()
        assert (state.rows, state.indexed_rows, state.transform) == (ROWS, ROWS, "none")
        assert state.path in ("index", "full scan")
        assert (state.size_bytes or 0) >= X.nbytes // 4
        assert not state.exact_by_design or (state.exhaustive and state.path == "full scan")
        scanned = index.vectors_scanned(K)
        assert (scanned is None) == (state.path != "full scan")
        assert scanned is None or scanned >= ROWS
        index.reset_cost()
        assert not any(index.cost().values())
        for i in range(len(prepared)):
            index.search(prepared[i : i + 1], K)
        one_by_one = dict(index.cost())
        index.reset_cost()
        index.search_batch(prepared, K)
        assert index.cost() == one_by_one
        assert all(isinstance(value, int) and value > 0 for value in one_by_one.values())
        most(index, name, build)
