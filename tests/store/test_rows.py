"""Files that say which rows may answer: masks, ids, and lists by query."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from truerecall.errors import InputError
from truerecall.model.ids import as_ids
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.store.attributes import read_allowed, read_row_mask

ROWS = Corpus(ArraySource(np.ones((4, 2)), "base.npy"))
NAMED = Corpus(ArraySource(np.ones((4, 2)), "base.npy"), as_ids(["a", "b", "c", "d"], what="ids"))
QUERIES = QuerySet(np.ones((3, 2)))
NAMED_QUERIES = QuerySet(np.ones((3, 2)), as_ids(["x", "y", "z"], what="ids"))


def saved(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    if name.endswith(".npy"):
        np.save(path, content)
    elif name.endswith(".parquet"):
        pq.write_table(pa.table(content), path)
    else:
        path.write_text("".join(f"{line}\n" for line in content))
    return path


@pytest.mark.parametrize(
    ("corpus", "name", "content", "kept"),
    [
        (ROWS, "m.npy", np.array([True, False, False, True]), [0, 3]),
        (ROWS, "m.npy", np.array([3, 1]), [1, 3]),
        (ROWS, "m.txt", [2, 2, 0], [0, 2]),
        (NAMED, "m.txt", ["d", "a"], [0, 3]),
        (NAMED, "m.parquet", {"id": ["b"]}, [1]),
        (NAMED, "m.npy", np.array([False, True, True, False]), [1, 2]),
    ],
)
def test_masks(corpus: Corpus, name: str, content: Any, kept: list[int], tmp_path: Path) -> None:
    assert np.flatnonzero(read_row_mask(saved(tmp_path, name, content), corpus)).tolist() == kept


@pytest.mark.parametrize(
    ("corpus", "name", "content", "words"),
    [
        (ROWS, "m.npy", np.ones(3, np.bool_), "mask of shape .3,. and base.npy has 4 rows"),
        (ROWS, "m.txt", [1, 4, 9], "names 2 ids that no row of base.npy bears .first: 4."),
        (NAMED, "m.txt", ["a", "e"], "names 1 ids .* .first: e."),
        (ROWS, "m.npy", np.array([0.5]), "float64"),
    ],
)
def test_masks_that_do_not_fit(corpus: Corpus, name: str, content: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        read_row_mask(saved(tmp_path, name, content), corpus)


def entry(query: Any, **others: Any) -> str:
    return json.dumps({"query_id": query, **others})


@pytest.mark.parametrize(
    ("corpus", "queries", "name", "content"),
    [
        (ROWS, QUERIES, "a.jsonl", [entry(2, ids=[]), entry(0, ids=[3, 1, 3]), entry(1, ids=[0])]),
        (ROWS, QUERIES, "a.parquet", {"query_id": [2, 0, 1], "ids": [[], [3, 1, 3], [0]]}),
        (NAMED, NAMED_QUERIES, "a.jsonl", [entry("z", ids=[]), entry("x", ids=["d", "b"]), entry("y", ids=["a"])]),
        (NAMED, NAMED_QUERIES, "a.parquet", {"query_id": ["z", "x", "y"], "ids": [[], ["d", "b"], ["a"]]}),
    ],
)
def test_lists_by_query(corpus: Corpus, queries: QuerySet, name: str, content: Any, tmp_path: Path) -> None:
    allowed = read_allowed(saved(tmp_path, name, content), corpus, queries)
    assert [allowed.of(i).tolist() for i in range(3)] == [[1, 3], [0], []]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", [entry(0, id=1), entry(1, id=0), entry(0, id=3), entry(2, id=2)]),
        ("a.parquet", {"query_id": [0, 1, 0, 2], "id": [1, 0, 3, 2]}),
    ],
)
def test_one_pair_on_a_line(name: str, content: Any, tmp_path: Path) -> None:
    allowed = read_allowed(saved(tmp_path, name, content), ROWS, QUERIES)
    assert [allowed.of(i).tolist() for i in range(3)] == [[1, 3], [0], [2]]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.jsonl", [entry(0, ids=[1])], "no entry for 2 of 3 queries .first: 1.; write .* for a query that no row"),
        ("a.jsonl", [entry(i, ids=[1]) for i in range(4)], "queries that there are not .first: 3."),
        ("a.jsonl", [entry(i, ids=[7]) for i in range(3)], "names 3 ids that no row"),
        ("a.jsonl", [entry(0)], "line 1 lacks query_id or ids"),
        ("a.jsonl", [entry(0, ids=3)], "line 1 lacks query_id or ids"),
        ("a.parquet", {"query_id": [0, 1, 2], "ids": [[1], [None], [2]]}, "1 ids are missing"),
        ("a.csv", ["query_id,id"], "give .parquet, .jsonl"),
    ],
)
def test_lists_that_do_not_fit(name: str, content: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        read_allowed(saved(tmp_path, name, content), ROWS, QUERIES)
