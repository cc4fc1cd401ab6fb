"""near-ties: rows that are as good as at the cut (H34)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tests.nouns import truth_of
from truerecall.checks.near_ties import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.ledger import Ledger
from truerecall.model.neighbors import Neighbors
from truerecall.model.truth import GroundTruth, Upkeep

H34 = [1.0, *np.linspace(0.787, 0.783, 9), *np.linspace(0.7828, 0.7785, 80), 0.5, 0.4]


def with_distances(lists: list[Any], distance: str, *, slack: int = 0) -> GroundTruth:
    """A truth with these distances, of which the last ``slack`` are kept as such."""
    depth = len(lists[0]) - slack
    truth = truth_of([list(range(depth)) for _ in lists], distance=distance)
    values = np.array(lists, np.float64)
    listed = replace(truth.neighbors, distances=values[:, :depth].ravel())
    more = Neighbors(np.arange(slack * len(lists)), values[:, depth:].ravel(), np.arange(len(lists) + 1) * slack)
    ledger = Ledger(None, np.zeros(len(lists), "V16"))
    return replace(truth, neighbors=listed, upkeep=Upkeep(ledger, ledger, more))


def case(lists: list[Any], k: int, distance: str = "ip", *, slack: int = 0) -> dict[str, Any]:
    return {"truth": with_distances(lists, distance, slack=slack), "k": k}


near = list(np.linspace(1, 1.3, 30))
FIRES = {
    "H34": case([[-value for value in H34]], 10),
    "as far as the slack goes": case([[1.0] * 10 + [1.0015] * 10], 10, "l2", slack=10),
}
STAYS_QUIET = {
    "clear": case([[1.0, 1.1, 1.5, 2.0, 2.1]], 2, "l2"),
    "one query of three": case([[1.0] * 2 + [1.001] * 2, [*near[:2], 2, 3], [*near[:2], 2, 3]], 2, "l2"),
    "a sloping list": case([near], 10, "l2", slack=20),
}


def test_h34_in_words() -> None:
    finding, at_least = (check.examine(**FIRES[name]) for name in FIRES)
    assert isinstance(finding, Finding)
    assert isinstance(at_least, Finding)
    assert finding.message.startswith("80 rows less than 0.005 below the cut (median over 1 query), for 10 places")
    assert finding.remedy == "read tolerant_recall@10(1%) beside recall@10"
    assert finding.severity == "note"
    assert at_least.message.startswith("at least 10 rows less than 0.002 beyond the cut")


def test_it_cannot_tell_from_lists_that_end_at_the_cut_or_while_all_are_near() -> None:
    assert check.examine(truth_of([[1, 2]]), 2) == CannotTell("the truth was read without rows beyond the cut")
    assert isinstance(check.examine(**case([[1.0] * 10 + [1.001] * 5], 10, "l2")), CannotTell)
    assert check.examine(truth_of([[1, 2]], eligible=[2]), 2) is None, "no row lies beyond the cut"
