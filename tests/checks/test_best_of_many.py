"""best-of-many: the best of many settings, told by the queries that chose it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.sides import EQUAL, comparison, difference, side, sides
from truerecall.checks.best_of_many import check
from truerecall.model.finding import Finding


def many(count: int, **changes: Any) -> dict[str, Any]:
    own = [difference(f"ef={i}", 0.9, 0.91 + i / 1000, **changes) for i in range(count)]
    return {"comparison": comparison(*own), "sides": sides()}


SETTINGS = [f"ef={i}" for i in range(30)]
FIRES: dict[str, dict[str, Any]] = {
    "five": many(5),
    "twenty": many(20),
    "a front of thirty": {
        "comparison": comparison(equal_quality=EQUAL),
        "sides": (side("A", SETTINGS), side("B", SETTINGS[:2])),
    },
}
STAYS_QUIET: dict[str, dict[str, Any]] = {
    "four": many(4),
    "nothing is claimed": many(30, word="not shown"),
    "no latency is compared": {"comparison": comparison(difference()), "sides": (side("A", SETTINGS), side("B"))},
}


def test_it_says_how_far_up_chance_alone_sets_the_best() -> None:
    found = [check.examine(**evidence) for evidence in FIRES.values()]
    assert [own.severity for own in found if isinstance(own, Finding)] == ["note", "warning", "warning"]
    assert isinstance(found[0], Finding)
    assert found[0].message == (
        "5 settings are held against each other on the same queries (the largest difference: +0.0140 at ef=4): the best"
        " of so many that are alike would lie 1.2 standard errors up by chance"
    )


@pytest.mark.parametrize("m", [5, 20])
def test_the_expected_best_is_that_of_a_simulation(m: int) -> None:
    finding = check.examine(**many(m))
    assert isinstance(finding, Finding)
    drawn = np.random.default_rng(0).normal(size=(20_000, m)).max(axis=1).mean()
    assert finding.evidence["standard_errors"] == pytest.approx(drawn, abs=0.03)
