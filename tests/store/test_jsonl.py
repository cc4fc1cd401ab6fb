"""Vectors from JSON lines: of which type the numbers were, what the lines may hold, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerecall.errors import InputError
from truerecall.store.vectors import open_corpus, open_log, open_queries


def log(path: Path, *entries: Any) -> Path:
    path.write_text("".join((entry if isinstance(entry, str) else json.dumps(entry)) + "\n" for entry in entries))
    return path


@given(values=st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=8))
@pytest.mark.parametrize("spelt", ["full", "short"])
def test_float32_comes_back_as_it_was(
    spelt: str, values: list[float], tmp_path_factory: pytest.TempPathFactory
) -> None:
    own = np.array([values], np.float32)
    texts = [str(float(value)) if spelt == "full" else str(value) for value in own[0]]
    path = log(tmp_path_factory.mktemp("log") / "q.jsonl", f'{{"vector": [{", ".join(texts)}]}}')
    read = open_queries(path).vectors
    assert read.dtype == np.float32
    assert (read == own).all()


def test_what_float32_cannot_hold_is_float64(tmp_path: Path) -> None:
    path = log(tmp_path / "q.jsonl", {"vector": [0.5, 0.1]}, {"vector": [0.123456789012345, 1]})
    assert open_queries(path).vectors.tolist() == [[0.5, 0.1], [0.123456789012345, 1.0]]
    assert open_queries(log(path, {"vector": [1e300]})).dtype == np.float64


def test_ids_and_other_names(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    queries = open_queries(log(path, {"_id": "a", "embedding": [1]}, {"_id": "b", "embedding": [2], "lang": "de"}))
    assert (queries.ids.tolist(), queries.vectors.tolist()) == (["a", "b"], [[1], [2]])
    corpus = open_corpus(Path(f"{log(path, {'id': 7, 'mine': [1, 2], 'vector': [9, 9]})}::mine"))
    assert (corpus.ids.tolist(), corpus.source.take(np.array([0])).tolist()) == ([7], [[1, 2]])


def test_a_log_may_repeat_ids_and_a_query_set_may_not(tmp_path: Path) -> None:
    path = log(tmp_path / "q.jsonl", *[{"id": 5, "vector": [1]}] * 2)
    assert open_log(path).ids.tolist() == [5, 5]
    with pytest.raises(InputError, match="1 surplus rows under 1 repeated ids"):
        open_queries(path)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ([], "holds 0 rows"),
        (["{"], "line 1 is not JSON"),
        ([{"id": 1}], "line 1 has no numbers in vector or embedding"),
        ([{"vector": [1, "2"]}], "line 1 has no numbers"),
        ([{"vector": [True]}], "line 1 has no numbers"),
        ([{"vector": []}], "line 1 has no numbers"),
        ([{"vector": [1]}, {"vector": [1, 2]}], "line 2 has 2 dimensions and the first has 1"),
        ([{"id": 1, "vector": [1]}, {"vector": [1]}], "line 2 differs from the first in having an id"),
        ([{"vector": [1]}, {"id": 1, "vector": [1]}], "line 2 differs from the first in having an id"),
        ([{"id": 1.5, "vector": [1]}], "float"),
    ],
)
def test_refusals(entries: list[Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        open_queries(log(tmp_path / "q.jsonl", *entries))
