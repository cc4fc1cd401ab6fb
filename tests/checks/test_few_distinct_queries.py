"""few-distinct-queries: a latency of queries that repeat each other (H28)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tests.curves import latency_of
from tests.nouns import CORPUS, queries_print, run_of, truth_of
from truerecall.checks.few_distinct_queries import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding


def case(*places: float, passes: int = 1) -> dict[str, Any]:
    """Queries at these places on a line, each with the nearest of the rows 0 and 1000 at its true distance."""
    n = len(places)
    lists = truth_of([[0, 1000]] * n)
    distances = np.array([[abs(place), abs(1000 - place)] for place in places], np.float64)
    truth = replace(lists, neighbors=replace(lists.neighbors, distances=distances.ravel()))
    return {"latency": latency_of(n * passes, distinct_queries=n), "truth": truth}


FIRES = {
    "H28: one vector ten times": case(*[5.0] * 10),
    "one query": case(7.0, passes=30),
    "a few repeats": case(*range(40), 0.0),
}
STAYS_QUIET = {"all differ": case(*range(100)), "passes repeat them alike": case(*range(100), passes=3)}


def test_it_counts_vectors_and_not_ids() -> None:
    messages = {name: check.examine(**FIRES[name]) for name in FIRES}
    assert all(isinstance(finding, Finding) for finding in messages.values())
    told = {name: (own.severity, own.message) for name, own in messages.items() if isinstance(own, Finding)}
    assert told["H28: one vector ten times"][0] == "warning"
    assert told["H28: one vector ten times"][1].startswith("10 timed calls, 1 distinct query among 10: caches")
    assert told["one query"][0] == "warning"
    assert told["a few repeats"] == ("note", told["a few repeats"][1])
    assert told["a few repeats"][1].startswith("41 timed calls, 40 distinct queries among 41")


def test_nothing_timed_nothing_told_and_queries_without_neighbours_are_no_repeats() -> None:
    assert isinstance(check.examine(latency_of(0), truth_of([[1]])), CannotTell)
    assert check.examine(latency_of(3), truth_of([[], [], [1]], k=1)) is None


def test_short_lists_of_whole_distances_agree_by_chance() -> None:
    def asked(rows: list[int], dtype: str) -> object:
        sides = (replace(side, dtype=dtype) for side in (CORPUS, queries_print(40)))
        corpus, queries = sides
        return check.examine(latency_of(40), truth_of([rows] * 40, corpus=corpus, queries=queries))

    assert isinstance(asked([7], "uint8"), CannotTell)
    assert isinstance(asked([7, 8, 9, 10, 11], "uint8"), Finding)
    assert isinstance(asked([7], "float32"), Finding)


def test_repeats_that_were_not_answered_do_not_count() -> None:
    own = case(*range(20), *[0.0] * 20)
    run = run_of([[1]] * 40, k=1, failures=[""] * 20 + ["lost"] * 20)
    answered = latency_of(20, distinct_queries=20)
    assert check.examine(answered, own["truth"], (run,)) is None
    assert isinstance(check.examine(**own), Finding)
