"""truth-disagrees: a truth that does not hold when some of it is recomputed (H15, H17)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.nouns import truth_of
from truerecall.checks.truth_disagrees import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding
from truerecall.model.trials import Trials, TruthSample
from truerecall.model.truth import APPROXIMATE, UNPROVED


def case(checked: int, agreed: int, first: str = "", cause: str = "", state: str = UNPROVED) -> dict[str, Any]:
    truth = replace(truth_of([[1]]), state=state)
    return {"truth": truth, "trials": Trials("t", (), TruthSample(checked, agreed, first, cause))}


FIRES = {
    "H15: of the first ten of a hundred": case(8, 6, "query 3: row 90 is nearer", "truncated corpus"),
    "H17: made by a graph": case(8, 7, "query 1: row 4 is nearer", state=APPROXIMATE),
}
STAYS_QUIET = {"it holds": case(8, 8), "it was proved": {"truth": truth_of([[1]])}}


def test_a_wrong_list_withholds_the_number() -> None:
    finding = check.examine(**FIRES["H15: of the first ten of a hundred"])
    assert isinstance(finding, Finding)
    assert finding.severity == "invalid"
    assert finding.message == (
        "2 of 8 recomputed queries disagree with the truth: query 3: row 90 is nearer (likely cause: truncated corpus)"
    )


def test_a_foreign_truth_that_nobody_recomputed_is_no_pass() -> None:
    foreign = replace(truth_of([[1]]), state=UNPROVED)
    assert isinstance(check.examine(foreign), CannotTell)
    assert isinstance(check.examine(foreign, Trials("t", (), None)), CannotTell)
    assert isinstance(check.examine(**case(0, 0)), CannotTell)
