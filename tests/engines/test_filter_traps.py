"""What engines do behind a filter that keeps one row in ten, where it misleads: how many rows come, and which."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.brute import answers, exact_answers
from tests.engines.pgvectors import ROWS, K, Q, X, hits, nearest
from truerecall import shelf
from truerecall.model.attributes import Attributes, Column
from truerecall.model.engine import Index, Place, Settings
from truerecall.model.filter import Compared, Filter
from truerecall.model.source import ArraySource

PLACES, HELD = np.arange(ROWS), np.zeros(ROWS, np.bool_)
COLUMNS = Attributes({"g": Column(PLACES % 10, HELD), "h": Column(PLACES % 100, HELD)})
ONE_IN_A_HUNDRED = Filter(Compared("h", "=", 7))
ONE_IN_TEN, NINE_IN_TEN = Filter(Compared("g", "=", 3)), Filter(Compared("g", "!=", 3))


def built(name: str, folder: Path, **settings: Any) -> Any:
    return shelf.engines.get(name).build(
        ArraySource(X), "l2", settings, seed=0, threads=1, place=Place(folder), attributes=COLUMNS
    )


def measured(index: Index, where: Filter, **settings: Any) -> tuple[float, float]:
    """How many rows come on average, and the share of the true neighbours among those that pass."""
    index.configure(settings)
    index.restrict(where)
    found, kept = answers(index, Q), np.flatnonzero(where.holds(COLUMNS))
    assert set().union(*found) <= set(kept.tolist())
    return float(np.mean([len(own) for own in found])), hits(found, truth(where))


def truth(where: Filter) -> list[list[int]]:
    kept = np.flatnonzero(where.holds(COLUMNS))
    return [kept[own].tolist() for own in nearest(X[kept], Q, "l2")]


def test_pgvector_filters_what_the_index_found_until_it_is_told_to_go_on(database: str, tmp_path: Path) -> None:
    """Of the 40 rows that hnsw.ef_search gives, four pass."""
    index = built("pgvector", tmp_path)
    rows, recall = measured(index, ONE_IN_TEN)
    assert 2.5 < rows < 5.5
    assert recall < 0.55
    state = index.state()
    assert (state.path, state.exhaustive) == ("index", False)
    for words in ("strict_order", "relaxed_order"):
        rows, recall = measured(index, ONE_IN_TEN, iterative_scan=words)
        assert rows == K
        assert recall > 0.7
    assert measured(index, ONE_IN_TEN, ef_search=400)[0] == K
    assert measured(index, NINE_IN_TEN)[0] == K
    assert exact_answers(index, Q) == truth(NINE_IN_TEN)
    index.close()


def test_the_lists_of_pgvector_run_dry_as_well(database: str, tmp_path: Path) -> None:
    index = built("pgvector", tmp_path, index="ivfflat", lists=100)
    rows, recall = measured(index, ONE_IN_TEN)
    assert rows < 9
    rows, better = measured(index, ONE_IN_TEN, iterative_scan="relaxed_order")
    assert rows == K
    assert better > recall
    index.close()


def test_qdrant_loses_its_way_in_a_graph_whose_columns_have_no_index(tmp_path: Path) -> None:
    """Links to rows that do not pass lead nowhere; with a payload index it makes links among those that pass."""
    quick: Settings = {"indexing_threshold": 100, "full_scan_threshold": 10}
    bare = built("qdrant_edge", tmp_path / "bare", **quick)
    with_index = built("qdrant_edge", tmp_path / "indexed", payload_index="yes", **quick)
    assert measured(bare, ONE_IN_TEN, hnsw_ef=40)[1] < 0.8
    assert measured(bare, ONE_IN_A_HUNDRED, hnsw_ef=160)[0] < 6
    for where in (ONE_IN_TEN, ONE_IN_A_HUNDRED):
        rows, recall = measured(with_index, where, hnsw_ef=40)
        assert rows == K
        assert recall > 0.95
    assert measured(bare, NINE_IN_TEN, hnsw_ef=160)[1] > 0.95
    assert bare.state().exhaustive is None  # whether it goes through the graph it decides for itself
    bare.restrict(ONE_IN_TEN)
    assert exact_answers(bare, Q) == truth(ONE_IN_TEN)
    bare.close()
    with_index.close()


def test_duckdb_filters_the_k_rows_that_its_index_found(tmp_path: Path) -> None:
    """One in ten, whatever the effort; its exact search finds all."""
    index = built("duckdb", tmp_path)
    for ef in (10, 400):
        rows, recall = measured(index, ONE_IN_TEN, hnsw_ef_search=ef)
        assert 0.3 < rows < 2
        assert recall < 0.2
    state = index.state()
    assert (state.path, state.exhaustive) == ("index", False)
    assert "FILTER > HNSW_INDEX_SCAN" in state.told
    assert exact_answers(index, Q) == truth(ONE_IN_TEN)
    index.close()


def test_lancedb_filters_first_unless_it_is_told_to_do_so_last(tmp_path: Path) -> None:
    index = built("lancedb", tmp_path, index_type="IVF_FLAT", num_partitions=16)
    first = measured(index, ONE_IN_TEN, nprobes=16)
    assert first == (K, 1)
    assert index.state().exhaustive
    rows, recall = measured(index, ONE_IN_TEN, nprobes=16, prefilter="no")
    assert 0.3 < rows < 2
    assert recall < 0.2
    assert not index.state().exhaustive
    assert index.vectors_scanned(K) is None
    assert exact_answers(index, Q) == truth(ONE_IN_TEN)
    index.close()


def test_the_graph_of_faiss_gives_no_more_than_its_candidates_and_that_of_hnswlib_goes_on(tmp_path: Path) -> None:
    index = built("faiss", tmp_path, factory="HNSW16")
    rows, recall = measured(index, ONE_IN_A_HUNDRED, efSearch=16)
    assert rows < 9
    assert measured(index, ONE_IN_A_HUNDRED, efSearch=400)[1] > recall + 0.2
    assert measured(built("hnswlib", tmp_path), ONE_IN_A_HUNDRED, ef=10)[0] == K


@pytest.mark.parametrize(
    ("name", "settings", "most"),
    [
        ("faiss", {"factory": "HNSW16"}, {"efSearch": 200}),
        ("faiss", {"factory": "IVF16,Flat"}, {"nprobe": 16}),
        ("hnswlib", {}, {"ef": 200}),
        ("milvus", {}, {}),
        ("sqlite_vec", {}, {}),
    ],
    ids=str,
)
def test_these_go_on_until_ten_rows_passed(name: str, settings: Settings, most: Settings, tmp_path: Path) -> None:
    index = built(name, tmp_path, **settings)
    rows, recall = measured(index, ONE_IN_TEN, **most)
    assert rows == K
    assert recall > 0.8
    index.close()
