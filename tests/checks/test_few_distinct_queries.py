"""few-distinct-queries: a latency of queries that repeat each other (H28)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tests.curves import latency_of
from tests.nouns import truth_of
from truerecall.checks.few_distinct_queries import check
from truerecall.kernels.fingerprint import row_digests
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.ledger import Ledger
from truerecall.model.truth import Upkeep


def case(*first_values: float, passes: int = 1) -> dict[str, Any]:
    """Queries of two dimensions, told apart by their first."""
    n = len(first_values)
    vectors = np.stack([np.array(first_values, np.float32), np.ones(n, np.float32)], axis=1)
    ledger = Ledger(None, row_digests(vectors))
    lists = truth_of([[1]] * n)
    truth = replace(lists, upkeep=Upkeep(ledger, ledger, lists.neighbors))
    return {"latency": latency_of(n * passes, distinct_queries=n), "truth": truth}


FIRES = {
    "H28: one vector ten times": case(*[5.0] * 10),
    "one query": {"latency": latency_of(30, distinct_queries=1)},
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


def test_ids_alone_never_show_that_queries_differ() -> None:
    assert isinstance(check.examine(latency_of(100)), CannotTell)
    assert isinstance(check.examine(latency_of(100), truth_of([[1]] * 100)), CannotTell)
    assert isinstance(check.examine(latency_of(0)), CannotTell)
