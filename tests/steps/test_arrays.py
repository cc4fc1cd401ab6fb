"""Arrays in, arrays out: ids of any type, padding, undefined values, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import truerecall
from truerecall.errors import InputError, UnknownName

BIG = 2**63 + 5


@pytest.mark.parametrize(
    "dtype", [np.int8, np.int32, np.int64, np.uint8, np.uint64, str, object, "StringDType", "list"]
)
def test_ids_of_any_type(dtype: Any) -> None:
    truth: Any = [[7, 3], [1, 2]]
    found: Any = [[3, 9], [2, 1]]
    if dtype in (str, object, "StringDType"):
        kind = np.dtypes.StringDType() if dtype == "StringDType" else dtype
        truth, found = (np.array([[f"id-{i}" for i in row] for row in side], kind) for side in (truth, found))
    elif dtype != "list":
        truth, found = np.array(truth, dtype), np.array(found, dtype)
    assert truerecall.recall_at_k(truth, found, k=2).tolist() == [0.5, 1.0]


def test_large_and_negative_ids_are_never_rounded() -> None:
    truth = np.array([[2**53 + 1, 2**53 + 3]])
    assert truerecall.recall_at_k(truth, truth - 1, k=2).tolist() == [0.0]
    assert truerecall.recall_at_k(truth, truth.astype(np.uint64), k=2).tolist() == [1.0]
    assert truerecall.recall_at_k(np.array([[BIG, 1]], np.uint64), np.array([[1, BIG]], np.uint64), k=2).tolist() == [1]
    assert truerecall.recall_at_k([[-5, -(2**63)]], [[-(2**63), -6]], k=2).tolist() == [0.5]


def test_padding_is_no_id_and_shortens_the_truth() -> None:
    values = truerecall.recall_at_k([[5, -1, -1], [-1, -1, -1]], [[9, -1, -1], [1, -1, 2]], k=3)  # H13
    assert values.tolist() == [0.0, None]
    assert values.mean() == 0.0
    assert truerecall.recall_at_k([["a", None]], [[None, "a"]], k=2).tolist() == [1.0]
    assert truerecall.recall_at_k([[1, 2], [3]], [[], [3, 4, 5]], k=2).tolist() == [0.0, 1.0]


def test_h16_a_truth_narrower_than_k_is_refused() -> None:
    ten = np.arange(10)[None]
    with pytest.raises(InputError, match="holds 10 neighbours per query and recall@100 needs 100; ask for k <= 10"):
        truerecall.recall_at_k(ten, np.arange(100)[None], k=100)
    assert truerecall.per_query(["recall@100"], ten, ten, eligible=10)["recall@100"].tolist() == [1.0]
    wide = np.arange(10_000)[None]
    assert truerecall.recall_at_k(wide, np.arange(100)[None], k=100).tolist() == [1.0]
    assert truerecall.recall_at_k(wide, np.arange(100, 200)[None], k=100).tolist() == [0.0]


def test_h25_the_name_says_which_recall() -> None:
    truth, found = [[1, 2, 3, 4]], [[9, 8, 7, 1]]
    values = truerecall.per_query(["recall@4", "1-recall@4", "1-recall@1", "recall@1/4"], truth, found)
    assert {name: column.tolist() for name, column in values.items()} == {
        "recall@4": [0.25],
        "1-recall@4": [1.0],
        "recall@1": [0.0],
    }
    assert truerecall.recall_at_k([[7]], [[*range(10, 18), 7, 99]], k=1, places=10).tolist() == [1.0]


def test_h05_true_distances_and_not_the_index_s_own() -> None:
    truth, at = [[0, 1, 2]], [[0.1, 0.2, 0.3]]
    values = truerecall.tie_recall_at_k(truth, truth, at, at, k=3, distance="cosine")
    assert values.tolist() == [1.0]
    with pytest.raises(InputError, match="needs the true distances of the answers"):
        truerecall.per_query(["tie_recall@3"], truth, truth)


def test_the_functions_are_the_measures() -> None:
    truth, found = [[1, 2, 3, 4]], [[2, 3, 8, 9]]
    sides: Any = ([[-0.90, -0.80, -0.79, -0.78]], [[-0.80, -0.79, -0.7799, -0.775]])
    given_distances = {"truth_distances": sides[0], "answer_distances": sides[1], "distance": "ip"}
    names = ["eps_recall@4(0.01)", "tolerant_recall@4(1%)", "tolerant_recall@4(auto)", "tie_recall@4"]
    by_name = truerecall.per_query(names, truth, found, **given_distances)
    assert [by_name[name].tolist() for name in names] == [
        truerecall.eps_recall_at_k(truth, found, *sides, k=4, epsilon=0.01, distance="ip").tolist(),
        truerecall.tolerant_recall_at_k(truth, found, *sides, k=4, percent=1, distance="ip").tolist(),
        truerecall.tolerant_recall_at_k(truth, found, *sides, k=4, percent="auto", distance="ip").tolist(),
        truerecall.tie_recall_at_k(truth, found, *sides, k=4, distance="ip").tolist(),
    ]
    assert by_name["eps_recall@4(0.01)"].tolist() == [1.0]


def test_whole_numbers_tie_where_they_are_equal() -> None:
    sides = ([[1]], [[2]], [[1e6]], [[1e6 + 0.5]])
    assert truerecall.tie_recall_at_k(*sides, k=1).tolist() == [1.0]
    assert truerecall.tie_recall_at_k(*sides, k=1, elements="integers").tolist() == [0.0]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"answer_ids": [[1, 2]]}, "the truth has 2 queries and the answers have 1"),
        ({"truth_ids": [[1, 2], [-1, 2]]}, "a row of the truth has padding before an id"),
        ({"truth_ids": [[1.0, 2.0], [1.0, 2.0]]}, "holds ids of type float64"),
        ({"truth_ids": [[1, "a"], [1, 2]]}, "mixes strings with other ids"),
        ({"truth_ids": [[1, 1], [1, 2]]}, "1 row of the truth repeats an id"),
        ({"truth_distances": [[1.0, 2.0]], "answer_distances": [[1.0, 2.0]] * 2}, "distances of shape"),
        ({"relevant_ids": [[1]]}, "1 lists of relevant ids are for 2 queries"),
        ({"distance": "taxi"}, "unknown distance taxi"),
        ({"measures": ["recal@2"]}, "did you mean recall"),
        ({"measures": ["semantic_recall@2"]}, "needs labels"),
        ({"measures": ["agreement@2"]}, "this truth is exact"),
    ],
)
def test_what_is_refused(changed: dict[str, Any], message: str) -> None:
    usual: dict[str, Any] = {"measures": ["recall@2"], "truth_ids": [[1, 2], [3, 4]], "answer_ids": [[1, 2], [3, 4]]}
    with pytest.raises(InputError, match=message):
        truerecall.per_query(**{**usual, **changed})


def test_an_unknown_measure_is_named() -> None:
    with pytest.raises(UnknownName):
        truerecall.per_query(["nonsense@2"], [[1, 2]], [[1, 2]])


def test_the_inputs_stay_as_they_were() -> None:
    truth, found = np.array([[1, 2, 3]]), np.array([[3, 3, 1]])
    values = truerecall.recall_at_k(truth, found, k=3)
    values[0] = 7  # the values are the caller's own
    assert truth.tolist() == [[1, 2, 3]]
    assert found.tolist() == [[3, 3, 1]]


@given(st.lists(st.lists(st.integers(-1, 6), max_size=5), min_size=1, max_size=4))
def test_lists_and_matrices_agree(lists: list[list[int]]) -> None:
    truth = [[0, 1, 2, 3]] * len(lists)
    width = max(map(len, lists))
    matrix = np.array([row + [-1] * (width - len(row)) for row in lists], np.int64).reshape(len(lists), width)
    names = ["recall@4", "mrr@4", "rbo@4(0.9)"]
    by_list, by_matrix = (truerecall.per_query(names, truth, side) for side in (lists, matrix))
    assert all(by_list[name].tolist() == by_matrix[name].tolist() for name in names)
    texts = [[None if code == -1 else f"x{code}" for code in row] for row in lists]
    by_text = truerecall.per_query(names, [[f"x{code}" for code in row] for row in truth], texts)
    assert all(by_list[name].tolist() == by_text[name].tolist() for name in names)
