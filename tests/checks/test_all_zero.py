"""all-zero: answers that share nothing with the truth (H14)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tests.nouns import answers_of, truth_of
from truerecall.checks.all_zero import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding


def case(found: int, n: int, *, distance: float = 9.0) -> dict[str, Any]:
    truth = [[1, 2]] * n
    answers = answers_of(truth, [[found, 8]] * n)
    far = np.full(answers.found.shape, distance)
    return {"answers": replace(answers, found_distances=far), "truth": truth_of(truth), "k": 2}


FIRES = {"H14, four queries": case(7, 4), "twenty queries": case(7, 20)}
STAYS_QUIET = {"one hit": case(1, 20), "as near as the last true one": case(7, 20, distance=1.0)}


def test_enough_queries_make_it_invalid() -> None:
    severities = []
    for name in FIRES:
        finding = check.examine(**FIRES[name])
        assert isinstance(finding, Finding)
        severities.append(finding.severity)
        assert "another corpus" in finding.remedy
    assert severities == ["warning", "invalid"]


def test_where_nothing_was_answered_it_cannot_tell() -> None:
    own = case(7, 20)
    failed = replace(own["answers"], failed=np.ones(20, np.bool_))
    assert isinstance(check.examine(**{**own, "answers": failed}), CannotTell)
