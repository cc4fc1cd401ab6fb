"""Library-wide thread settings are as before after a scan, also one that could not start."""

from __future__ import annotations

from dataclasses import replace

import faiss
import numpy as np
import pytest
from threadpoolctl import threadpool_info

from truerecall.errors import MissingExtra
from truerecall.model.distance import distance_named
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan import methods
from truerecall.scan.problem import Method, Problem
from truerecall.scan.proposing import ProposingScan
from truerecall.scan.shortlist import ShortlistScan


def problem_of(method: Method) -> Problem:
    vectors = np.random.default_rng(0).standard_normal((500, 8)).astype(np.float32)
    return Problem(Corpus(ArraySource(vectors)), QuerySet(vectors[:5]), distance_named("l2"), 3, None, method=method)


def limits() -> list[tuple[str, int]]:
    return [(pool["filepath"], pool["num_threads"]) for pool in threadpool_info()]


def test_after_a_scan_the_limits_are_as_before() -> None:
    before = limits()
    with ProposingScan(problem_of("float32")) as scan:
        assert {threads for _, threads in limits()} == {1}
        assert list(scan.blocks()) == [500]
    assert limits() == before


def test_faiss_has_as_many_threads_as_before() -> None:
    before = faiss.omp_get_max_threads()
    with ShortlistScan(replace(problem_of("shortlist"), threads=before + 1), 4) as scan:
        assert faiss.omp_get_max_threads() == before + 1
        assert list(scan.blocks()) == [500]
    assert faiss.omp_get_max_threads() == before


def test_after_a_scan_that_could_not_start_too(monkeypatch: pytest.MonkeyPatch) -> None:
    before = limits()
    monkeypatch.setattr(methods, "exact_products", lambda: ())
    with pytest.raises(MissingExtra):
        ProposingScan(problem_of("int8"))
    assert limits() == before
