"""A shortlist is proved or says that it is not, whatever the vectors; and what it does not suit takes another way."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins import brute_force
from truerecall.model.distance import distance_named
from truerecall.model.eligibility import Eligibility
from truerecall.model.progress import SILENT
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.problem import Method, Problem
from truerecall.scan.shortlist import ShortlistScan, Unsuited, suits
from truerecall.steps import calibration
from truerecall.steps.calibration import prefers_shortlist
from truerecall.steps.exact import exact_nearest


def problem_of(x: Any, q: Any, distance: str = "l2", k: int = 10, **how: Any) -> Problem:
    return Problem(
        Corpus(ArraySource(np.asarray(x))), QuerySet(np.asarray(q)), distance_named(distance), k, None, **how
    )


def normal(rows: int, dimensions: int = 8, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, dimensions)).astype(np.float32)


def listed(problem: Problem, spare: int) -> tuple[list[list[int]], list[bool]]:
    with ShortlistScan(problem, spare) as scan:
        for _ in scan.blocks():
            pass
        found = scan.found()
    starts = found.nearest.starts
    return [found.nearest.rows[a:b].tolist() for a, b in pairwise(starts)], found.proved.tolist()


@settings(max_examples=120, deadline=None)
@given(
    distance=st.sampled_from(("l2", "ip")),
    rows=st.integers(1, 150),
    dimensions=st.integers(1, 40),
    queries=st.integers(1, 30),
    whole=st.booleans(),
    block_rows=st.integers(1, 200),
    spare=st.integers(0, 12),
    seed=st.integers(0, 10**6),
)
def test_what_is_proved_is_right(
    distance: str, rows: int, dimensions: int, queries: int, whole: bool, block_rows: int, spare: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    # Whole numbers tie, also across the cut; the others do so nearly.
    x, q = (rng.standard_normal((n, dimensions)) * (2 if whole else 1) for n in (rows, queries))
    x, q = (np.round(side) if whole else side for side in (x, q))
    x, q = x.astype(np.float32), q.astype(np.float32)
    k = int(rng.integers(1, rows + 1))
    try:
        lists, proved = listed(problem_of(x, q, distance, k, block_rows=block_rows), spare)
    except Unsuited:
        return
    right = brute_force(distance, x, q, k)[0]
    for found, is_proved, expected in zip(lists, proved, right, strict=True):
        assert found == expected or not is_proved
    if k + spare >= rows:
        assert all(proved)


def test_plain_vectors_are_proved_at_once() -> None:
    _, effort = nearest_of(problem_of(normal(20_000, 32), normal(50, 32, 1), method="shortlist"))
    assert effort.queries_scanned_again == 0
    assert effort.method == "shortlist by faiss.knn, float64 finish"


def test_a_few_queries_among_many_ties_get_longer_lists() -> None:
    x = normal(5000)
    x[100:160] = x[7]  # more than the spare rows of the first list, fewer than of the second
    q = np.concatenate((normal(40, seed=1), x[7:8]))
    found, effort = nearest_of(problem_of(x, q, method="shortlist"))
    assert effort.queries_scanned_again == 1
    assert effort.method == "shortlist by faiss.knn, float64 finish"
    assert found.nearest.rows.reshape(41, 10)[-1].tolist() == [7, *range(100, 109)]
    assert found.tied[-1] == 61
    assert found.proved.all()


def test_many_queries_among_ties_go_another_way() -> None:
    x = np.repeat(normal(50), 100, axis=0)
    found, effort = nearest_of(problem_of(x, normal(40, seed=1), method="shortlist"))
    assert effort.method == "shortlist by faiss.knn, float32, float64 finish"
    assert (found.tied == 100).all()
    assert found.nearest.rows.reshape(40, 10).tolist() == brute_force("l2", x, normal(40, seed=1), 10)[0]


@pytest.mark.parametrize("kind", ["far", "outlying row"])
def test_vectors_that_widen_the_bound_do_not_suit(kind: str) -> None:
    x, q = normal(3000), normal(30, seed=1)
    if kind == "far":
        x, q = x + np.float32(1000), q + np.float32(1000)
    else:
        x[17] *= 1000
    with pytest.raises(Unsuited), ShortlistScan(problem_of(x, q), 10) as scan:
        next(iter(scan.blocks()))
    found, effort = nearest_of(problem_of(x, q, method="shortlist"))
    assert effort.method == "float32, float64 finish"
    assert found.nearest.rows.reshape(30, 10).tolist() == brute_force("l2", x, q, 10)[0]


def test_a_query_beyond_the_range_of_float32_is_left_to_others() -> None:
    x, q = normal(3000), normal(40, seed=1)
    q[3] *= np.float32(1e25)
    found, effort = nearest_of(problem_of(x, q, method="shortlist"))
    assert effort.queries_scanned_again == 1
    assert found.nearest.rows.reshape(40, 10).tolist() == brute_force("l2", x, q, 10)[0]
    assert found.proved.all()


@pytest.mark.parametrize("scale", [1.0, 2.0**-40, 2.0**-78])
def test_the_slack_is_no_less_than_what_faiss_is_off_by(scale: float) -> None:
    x, q = normal(2000, 64), normal(20, 64, 1) * np.float32(scale)
    with ShortlistScan(problem_of(x, q, "ip"), 50) as scan:
        for _ in scan.blocks():
            pass
        right = np.take_along_axis(-(q.astype(np.float64) @ x.T.astype(np.float64)), scan._rows, 1)
        off = np.abs(scan._numbers - right).max(axis=1)
        assert (off > 0).all()
        assert (off <= scan._slack()).all()


def test_where_faiss_is_not_asked() -> None:
    x, q = normal(100), normal(5, seed=1)
    assert suits(problem_of(x, q))
    assert not suits(problem_of(x.astype(np.float64), q))
    assert not suits(problem_of(x, q.astype(np.float16)))
    assert not suits(problem_of(x, q, "cosine"))
    assert not suits(problem_of(x, q, eligibility=Eligibility(rows=np.arange(100) > 50)))
    assert not suits(problem_of(normal(5000), q, k=3000))


@pytest.mark.parametrize(("faster", "method"), [(True, "shortlist"), (False, "float32")])
def test_where_there_is_much_to_do_the_faster_one_is_taken(
    faster: bool, method: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = problem_of(normal(2000, 16), normal(100, 16, 1))
    monkeypatch.setattr(calibration, "compiled_pays", lambda problem: False)
    monkeypatch.setattr(calibration, "WORTH_TRYING", 1.0)
    calibration._faiss_is_faster.cache_clear()
    times = iter([1.0, 2.0] if faster else [3.0, 2.0])
    monkeypatch.setattr(calibration, "_seconds", lambda work: (work(), next(times))[1])
    assert prefers_shortlist(problem) is faster
    calibration._faiss_is_faster.cache_clear()


def nearest_of(problem: Problem) -> Any:
    return exact_nearest(problem, key="x", memory_bytes=None, journal=None, progress=SILENT)
