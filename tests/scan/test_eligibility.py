"""Rows that may not answer are no part of any list or count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from truerecall.kernels.distances import order_keys
from truerecall.model.distance import distance_named
from truerecall.model.eligibility import Eligibility, RowLists
from truerecall.model.progress import SILENT
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.problem import Method, Problem
from truerecall.steps.exact import exact_nearest


def lists_of(choices: list[Any]) -> RowLists:
    rows = np.concatenate([np.sort(c) for c in choices]).astype(np.int64)
    return RowLists(rows, np.concatenate(([0], np.cumsum([len(c) for c in choices]))))


@settings(max_examples=80, deadline=None)
@given(
    masked=st.booleans(),
    allowed=st.booleans(),
    excluded=st.booleans(),
    method=st.sampled_from(("float32", "int8")),
    distance=st.sampled_from(("l2", "ip", "cosine", "l1")),
    share=st.sampled_from((0.0, 0.02, 0.3, 0.9)),
    k=st.integers(1, 12),
    seed=st.integers(0, 2**32 - 1),
)
def test_equals_brute_force_over_the_eligible_rows(
    masked: bool, allowed: bool, excluded: bool, method: Method, distance: str, share: float, k: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    rows, queries = 300, 5
    x = (rng.integers(0, 4, (rows, 3)) + 1).astype(np.float32)
    q = (rng.integers(0, 4, (queries, 3)) + 1).astype(np.float32)

    def chosen() -> Any:
        return np.flatnonzero(rng.random(rows) < share)

    eligibility = Eligibility(
        rng.random(rows) < share if masked else None,
        lists_of([chosen() for _ in range(queries)]) if allowed else None,
        lists_of([chosen() for _ in range(queries)]) if excluded else None,
    )
    geometry = distance_named(distance)
    problem = Problem(Corpus(ArraySource(x)), QuerySet(q), geometry, k, None, eligibility, block_rows=64, method=method)
    found, _ = exact_nearest(problem, key="x", memory_bytes=None, journal=None, progress=SILENT)
    for query in range(queries):
        left = set(range(rows))
        if eligibility.rows is not None:
            left &= set(np.flatnonzero(eligibility.rows))
        if eligibility.allowed is not None:
            left &= set(eligibility.allowed.of(query))
        if eligibility.excluded is not None:
            left -= set(eligibility.excluded.of(query))
        keys = order_keys(distance, q[query], x)
        expected = sorted(left, key=lambda row, keys=keys: (keys[row], row))[:k]  # type: ignore[misc]
        part = slice(found.nearest.starts[query], found.nearest.starts[query + 1])
        assert found.nearest.rows[part].tolist() == expected
        assert problem.eligible()[query] == len(left)
        if expected:
            distances = problem.distances(keys)
            cut = distances[expected[-1]]
            tied = sum(abs(distances[row] - cut) <= 1e-6 * max(1.0, abs(cut)) for row in left)
            assert found.tied[query] == pytest.approx(tied, abs=0)
        else:
            assert found.tied[query] == found.nearer[query] == 0


def test_h18_the_filter_is_by_row_of_the_corpus_not_of_the_chunk() -> None:
    x, q = np.arange(12, dtype=np.float32)[:, None], np.array([[10.2]], np.float32)
    even = Eligibility(np.arange(12) % 2 == 0)
    for block_rows in (1, 5, 12):
        for eligibility, expected in ((Eligibility(), [10, 11]), (even, [10, 8])):
            problem = Problem(
                Corpus(ArraySource(x)), QuerySet(q), distance_named("l2"), 2, None, eligibility, block_rows
            )
            found, _ = exact_nearest(problem, key="x", memory_bytes=None, journal=None, progress=SILENT)
            assert found.nearest.rows.tolist() == expected
