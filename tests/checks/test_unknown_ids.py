"""unknown-ids: ids that no row bears, and ids that a double has rounded (H11)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.nouns import truth_of
from tests.returned import bound, matrix
from truerecall.checks.unknown_ids import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding

BIG = truth_of([[9007199254740993, 9007199254740995]], corpus_ids="int64")
ROWS = truth_of([[1, 2], [3, 4]])
damaged = [[9007199254740992, 9007199254740996]]
FIRES: dict[str, dict[str, Any]] = {
    "H11": {"returned": bound(matrix(damaged), BIG), "truth": BIG},
    "H11, the corpus known": {
        "returned": bound(matrix(damaged), BIG, corpus_ids=np.array([9007199254740993, 9007199254740995])),
        "truth": BIG,
    },
    "past the last row": {"returned": bound(matrix([[1, 1000], [3, 4]]), ROWS), "truth": ROWS},
}
STAYS_QUIET: dict[str, dict[str, Any]] = {
    "H11, exact": {"returned": bound([["9007199254740993", "9007199254740995"]], BIG), "truth": BIG},
    "rows of the corpus": {"returned": bound(matrix([[9, 999], [3, 4]]), ROWS), "truth": ROWS},
    "padding": {"returned": bound(matrix([[1, -1], [3, 4]]), ROWS), "truth": ROWS},
}


def test_h11_the_damage_is_named_and_no_number_is_shown() -> None:
    for case, where in (("H11", "in no list of the truth"), ("H11, the corpus known", "not in the corpus")):
        finding = check.examine(**FIRES[case])
        assert isinstance(finding, Finding)
        assert finding.severity == "invalid"
        assert finding.message == (
            f"2 of 2 returned ids are {where}; each is the double-rounded form of an existing id"
        )


def test_a_few_unknown_ids_are_misses() -> None:
    finding = check.examine(**FIRES["past the last row"])
    assert isinstance(finding, Finding)
    assert finding.severity == "warning"
    assert finding.message == "1 of 4 returned ids are not in the corpus (first: 1000); each is a miss"
    assert isinstance(check.examine(FIRES["H11"]["returned"]), CannotTell)
