"""Arrays that look right and are not: no number comes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truerecall as tr
from truerecall.errors import InputError

TRUTH, ANSWERS = [[1, 2, 3], [4, 5, 6]], [[1, 3, 9], [4, 5, 6]]
NEAR = [[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]]


@pytest.mark.parametrize("k", [0, -1, 2.5, True])
def test_a_depth_that_is_none_is_refused(k: Any) -> None:
    with pytest.raises(InputError, match="k is"):
        tr.score(TRUTH, ANSWERS, k=k)


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ([], "holds no query"),
        ([[1, 1, 2], [4, 5, 6]], "repeats 1 ids"),
        ([[1, -1, 2], [4, 5, 6]], "an id follows the padding"),
    ],
)
def test_a_truth_that_is_none_is_refused(truth: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tr.score(truth, ANSWERS, k=3)


def test_padding_of_a_list_is_padding_of_an_array() -> None:
    padded = [[-1, -1, -1], [4, 5, -1]]
    for truth in (padded, np.array(padded)):
        (recall,) = tr.score(truth, ANSWERS, k=3, measures="recall@3").scores
        assert (recall.mean, recall.n, sum(recall.undefined.values())) == (1.0, 1, 1)


def test_ids_of_rows_make_no_distances_known() -> None:
    assert [str(s.measure) for s in tr.score(TRUTH, ANSWERS, k=3, corpus_ids=[10, 11]).scores] == ["recall@3"]


def test_numbers_that_order_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="1 of 4 neighbours have no number"):
        tr.score(TRUTH, {0: {1: 0.9, 2: float("nan")}, 1: {4: 0.3, 5: 0.2}}, k=2)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"truth_ids": [["1", "2", "3"], ["4", "5", "6"]]}, "some arrays hold strings"),
        ({"truth_distances": [[0.1, 0.2], [0.1, 0.2]]}, r"without a distance \(NaN\)"),
        ({"truth_distances": [[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]]}, "fall along row 0"),
        ({"truth_distances": [[0.1, 0.2, 0.3, 0.4]] * 2}, "rows of up to 4 distances"),
        ({"eligible": [2, 9]}, "fewer rows are eligible"),
        ({"eligible": [9, 9, 9]}, "for 2 queries"),
    ],
)
def test_sides_that_do_not_fit_are_refused(changed: dict[str, Any], message: str) -> None:
    sides = {"truth_ids": TRUTH, "answer_ids": ANSWERS, "truth_distances": NEAR, "answer_distances": NEAR} | changed
    with pytest.raises(InputError, match=message):
        tr.per_query(["tie_recall@3"], **sides)  # type: ignore[arg-type]


def test_a_band_over_all_rows_is_undefined_where_all_are_listed() -> None:
    near: dict[str, Any] = {"truth_distances": [[1.0, 1.0, 1.0]], "answer_distances": [[1.0]]}
    for eligible, masked in ((3, True), (4, False)):
        (values,) = tr.per_query("tie_recall@2", [[1, 2, 3]], [[3]], eligible=eligible, **near).values()
        assert np.ma.getmaskarray(values).tolist() == [masked]


def test_numbers_of_numpy_are_numbers() -> None:
    float32: Any = np.float32(1)
    eps = tr.eps_recall_at_k(TRUTH, ANSWERS, NEAR, NEAR, k=3, epsilon=np.float64(0.01))
    tolerant = tr.tolerant_recall_at_k(TRUTH, ANSWERS, NEAR, NEAR, k=3, percent=float32)
    assert eps.tolist() == tolerant.tolist() == [1.0, 1.0]


def test_a_path_may_be_a_string(tmp_path: Path) -> None:
    np.save(tmp_path / "base.npy", np.eye(4, dtype=np.float32))
    base = str(tmp_path / "base.npy")
    truth = tr.build_truth(tr.open_corpus(base), tr.open_queries(base), distance="l2", k=2)
    tr.save_truth(truth, str(tmp_path / "truth.parquet"))
    assert tr.load_truth(str(tmp_path / "truth.parquet")).k == 2
    with pytest.raises(InputError, match="is a truth file"):
        tr.load_run(str(tmp_path / "truth.parquet"))
