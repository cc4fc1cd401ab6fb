"""exhaustive-below-one: a search that compares every row and misses one (H17, see also)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.nouns import answers_of, run_of
from truerecall.checks.exhaustive_below_one import ROUNDING, check
from truerecall.model.check import CannotTell
from truerecall.model.drift import Drift
from truerecall.model.engine import IndexState
from truerecall.model.finding import Finding

TRUE = [[0, 1]] * 10


def case(
    found: Any, distances: Any, *, exhaustive: bool | None = True, exact: bool = False, **others: Any
) -> dict[str, Any]:
    """Ten queries with the true rows 0 and 1 at 1.0 and 2.0, in 8 dimensions; the last answers as given."""
    answers = answers_of(
        TRUE,
        [*TRUE[:-1], found],
        truth_distances=[[1.0, 2.0]] * 10,
        found_distances=[*[[1.0, 2.0]] * 9, distances],
        **others,
    )
    state = IndexState("ivf", 1000, 1000, True, "none", None, exact, "index", "", exhaustive)
    return {"run": run_of([[0, 1]] * 10, k=2, state=state), "answers": answers, "k": 2}


FIRES = {
    "H17, see also: the truth lists other rows": case([0, 7], [1.0, 2.5]),
    "nothing came for a place": case([0], [1.0]),
    "exact by design": case([0, 7], [1.0, 2.5], exhaustive=None, exact=True),
    "one row twice": case([0, 0], [1.0, 1.0]),
}
STAYS_QUIET = {
    "all": case([0, 1], [1.0, 2.0]),
    "in another order": case([1, 0], [2.0, 1.0]),
    "a tie": case([0, 7], [1.0, 2.0]),
    "as near as float32 can tell": case([0, 7], [1.0, 2.0 * (1 + 7 * ROUNDING)]),
    "it may miss rows": case([0, 7], [1.0, 2.5], exhaustive=False),
}


def test_what_is_missed_is_counted() -> None:
    finding = check.examine(**FIRES["H17, see also: the truth lists other rows"])
    assert isinstance(finding, Finding)
    assert "1 of 10 queries miss one beyond ties and float32 rounding (1 of 20 places, recall 0.950)" in finding.message
    assert finding.severity == "warning"


@pytest.mark.parametrize("shift", [9, 100])
def test_beyond_the_rounding_of_as_many_dimensions_it_is_a_miss(shift: int) -> None:
    assert isinstance(check.examine(**case([0, 7], [1.0, 2.0 * (1 + shift * ROUNDING)])), Finding)


def test_the_terms_of_a_cosine_are_of_size_one() -> None:
    near = case([0, 7], [1.0, 2.0 + 7 * ROUNDING], distance="cosine")
    assert check.examine(**near) is None
    assert isinstance(check.examine(**case([0, 7], [1.0, 2.0 + 9 * ROUNDING], distance="cosine")), Finding)


def test_it_cannot_tell_from_an_engine_that_says_nothing_nor_under_a_drift() -> None:
    silent = check.examine(**case([0, 7], [1.0, 2.5], exhaustive=None))
    assert silent == CannotTell("faiss does not tell whether this setting compares every row")
    drift = Drift("t", "c", 1000, 1, 0, 0, "1 row added", 10, 1, 0.01)
    assert isinstance(check.examine(**case([0, 7], [1.0, 2.5]), drift=drift), CannotTell)
