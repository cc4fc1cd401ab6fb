"""Every lie of the sabotage suite is caught by the check that is meant for it, and honest runs are left in peace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sabotage.__main__ import all_lies, failings, honest_twins, tried_all
from sabotage.lie import Lie, Seen, Trial
from sabotage.workshop import Workshop

ROWS, QUERIES = 2000, 150


@pytest.mark.alone
def test_every_lie_is_caught_and_honest_runs_are_left_in_peace(tmp_path: Path) -> None:
    trials = list(tried_all(all_lies(), Workshop(tmp_path, ROWS, QUERIES)))
    assert failings(trials) == []
    assert len(honest_twins(trials)) >= 20


def lie(name: str) -> Lie:
    return Lie(name, "something", "right-code", lambda shop: [], lambda shop: [])


def test_the_suite_itself_can_fail() -> None:
    caught, quiet = Seen({"right-code": "warning"}), Seen()
    assert failings([Trial(lie("a"), caught, quiet)]) == []
    assert failings([Trial(lie("a"), Seen({"wrong-code": "invalid"}), quiet)]) == [
        "a was missed: right-code did not fire"
    ]
    assert failings([Trial(lie("a"), caught, Seen({"x": "invalid"}))]) == ["x (invalid) beside a"]
    assert failings([Trial(lie("a"), caught, Seen(refused="StaleTruth"))]) == ["StaleTruth beside a"]
    one = Trial(lie("a"), caught, Seen({"x": "warning", "y": "note"}))
    other = Trial(lie("b"), caught, Seen({"x": "warning"}))
    known = replace(lie("c"), true_of_both=frozenset({"x"}))
    assert failings([one]) == []
    assert failings([one, Trial(known, caught, Seen({"x": "warning", "y": "warning"}))]) == [
        "x (warning) beside a",
        "y (warning) beside c",
    ]
    assert failings([one, Trial(known, caught, Seen({"x": "warning"}))]) == []
    assert failings([one, other]) == ["x (warning) beside a", "x (warning) beside b"]
