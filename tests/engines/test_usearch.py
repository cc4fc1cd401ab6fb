"""usearch and its traps: element types, whole numbers, counters, answers of another shape for one query."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

from tests.engines.test_contract import NOWHERE, K, Q, X, answers, nearest, recall
from truerecall.engines.usearch import engine
from truerecall.errors import InputError, UnknownName
from truerecall.model.arrays import Vectors
from truerecall.model.engine import Index
from truerecall.model.source import ArraySource


def built(rows: Vectors = X, distance: str = "l2", **settings: Any) -> Index:
    index = engine.build(ArraySource(rows), distance, settings, seed=0, threads=1, place=NOWHERE)
    index.configure({"expansion_search": 2 * len(rows)})
    return index


def test_it_stores_float32_unless_told_otherwise() -> None:
    state = built().state()
    assert (state.kind, state.transform) == ("HNSW of f32", "none")
    near = np.repeat(X[:1], 1000, axis=0)
    near[:, 0] += 1e-3 * np.arange(1000, dtype=np.float32)[::-1]
    assert answers(built(near), near[-1:]) == [list(range(999, 989, -1))]
    halved = built(near, dtype="bf16")
    state = halved.state()
    assert (state.kind, state.transform) == ("HNSW of bf16", "cast from float32 to bfloat16")
    assert (state.exact_by_design, state.exhaustive) == (False, False)
    assert recall([list(range(990, 1000))], answers(halved, near[-1:])) < 1


@pytest.mark.parametrize(
    ("given", "stored", "words"),
    [
        ("float32", "f16", "cast from float32 to float16"),
        ("float16", "f16", "none"),
        ("float64", "f64", "none"),
        ("float32", "f64", "cast from float32 to float64"),
        ("float64", "f32", "cast from float64 to float32"),
        ("float32", "i8", "cast from float32 to int8, each vector scaled to a length of 127"),
        ("int8", "i8", "none"),
        ("int8", "f32", "cast from int8 to float32"),
    ],
)
def test_every_change_of_the_vectors_is_declared(given: str, stored: str, words: str) -> None:
    assert built((10 * X).astype(given), dtype=stored).state().transform == words


def test_whole_numbers_are_taken_as_they_are() -> None:
    # Given int8, an index of floats would take them for parts of 127.
    rows = np.clip(np.rint(20 * X), -127, 127).astype(np.int8)
    queries = np.clip(np.rint(20 * Q), -127, 127).astype(np.int8)
    for stored in ("f32", "i8"):
        index: Any = built(rows, dtype=stored)
        assert (index.index.get(5) == rows[5]).all()
        assert recall(nearest(rows, queries, "l2"), answers(index, queries)) > 0.9  # equal distances are many
    assert built(rows).prepare(Q).dtype == np.float32
    with pytest.raises(InputError, match="queries are float32 and the index holds int8 as it was given; give int8"):
        built(rows, dtype="i8").prepare(Q)


def test_floats_as_int8_lose_their_lengths() -> None:
    long = X * np.random.default_rng(0).uniform(0.2, 5, size=(len(X), 1)).astype(np.float32)
    assert recall(nearest(long, Q, "l2"), answers(built(long, dtype="i8"))) < 0.6
    assert recall(nearest(long, Q, "cosine"), answers(built(long, "cosine", dtype="i8"))) > 0.8


def test_an_element_type_that_is_none_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="unknown dtype bf61; did you mean bf16"):
        engine.search_settings({"dtype": "bf61"}, distance="l2", dimensions=4)


def test_what_it_counts_is_summed_over_calls_and_clients() -> None:
    index = built()
    prepared = index.prepare(Q)
    spent = {}
    for value in (10, 100):
        index.configure({"expansion_search": value})
        index.reset_cost()
        singles = answers(index)
        spent[value] = dict(index.cost())
        assert len(Q) < spent[value]["hops"] < spent[value]["distance_computations"] < len(Q) * len(X)
        index.reset_cost()
        found: list[Any] = [None] * len(Q)

        def ask(first: int, index: Index = index, found: list[Any] = found) -> None:
            for i in range(first, len(Q), 4):
                found[i] = list(index.search(prepared[i : i + 1], K))

        clients = [Thread(target=ask, args=(first,)) for first in range(4)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        assert found == singles
        assert index.cost() == spent[value]
    assert spent[10]["distance_computations"] < spent[100]["distance_computations"]


def test_one_thread_repeats_itself_whatever_the_seed(tmp_path: Path) -> None:
    for seed in (1, 2):
        engine.build(ArraySource(X), "l2", {}, seed=seed, threads=1, place=NOWHERE).save(tmp_path / str(seed))
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_an_index_of_another_element_type_is_not_loaded(tmp_path: Path) -> None:
    built().save(tmp_path / "f32")
    with pytest.raises(InputError, match="dimensions in f32, and array asks for 1200 rows of 16 dimensions in f16"):
        engine.load(tmp_path / "f32", ArraySource(X), "l2", {"dtype": "f16"}, threads=1, place=NOWHERE)


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("from truerecall.engines.usearch import _library; _library()", "made IndexHNSWFlat"),
        ("import usearch.index", "usearch was imported before FAISS, which does not survive it; import faiss first"),
    ],
)
def test_faiss_in_the_same_process(first: str, words: str) -> None:
    """FAISS's factory crashes the process where usearch was imported before it."""
    then = (
        "from truerecall.errors import InputError\n"
        "try:\n"
        "    from truerecall.engines.faiss import _empty_index\n"
        "    print('made', type(_empty_index({'factory': 'HNSW16'}, 'l2', 8)).__name__)\n"
        "except InputError as error:\n"
        "    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", f"{first}\n{then}"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, words), done.stderr
