"""Before long work its plan is told: once, with what there is to do and how long it will take."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from truerecall.model.distance import distance_named
from truerecall.model.progress import Silent
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.budget import within
from truerecall.scan.problem import Method, Problem
from truerecall.steps import exact, nearest
from truerecall.steps.exact import exact_nearest


class Listening(Silent):
    def __init__(self) -> None:
        self.heard: list[str] = []

    def say(self, line: str) -> None:
        self.heard.append(line)


@pytest.mark.parametrize("method", ["shortlist", "float32"])
@pytest.mark.parametrize("groups", [1, 3])
def test_the_plan_is_told_once(method: Method, groups: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    corpus = Corpus(ArraySource(rng.standard_normal((5000, 16)).astype(np.float32)))
    queries = QuerySet(rng.standard_normal((90, 16)).astype(np.float32))
    problem = Problem(corpus, queries, distance_named("l2"), 5, None, method=method)
    monkeypatch.setattr(nearest, "VERY_LONG_WORK", 1.0)
    monkeypatch.setattr(exact, "within", lambda *given: replace(within(*given), group=90 // groups))
    told = Listening()
    exact_nearest(problem, key="x", memory_bytes=None, journal=None, progress=told)
    (plan,) = told.heard
    assert plan.startswith(f"plan: 5,000 rows of 16 float32 (0.00 GB) {groups} times over, 90 queries, 7.2e+06")
    assert plan.endswith(" s")


def test_short_work_has_no_plan() -> None:
    rng = np.random.default_rng(0)
    corpus = Corpus(ArraySource(rng.standard_normal((500, 8)).astype(np.float32)))
    told = Listening()
    problem = Problem(corpus, QuerySet(np.zeros((3, 8), np.float32)), distance_named("l2"), 5, None)
    exact_nearest(problem, key="x", memory_bytes=None, journal=None, progress=told)
    assert told.heard == []
