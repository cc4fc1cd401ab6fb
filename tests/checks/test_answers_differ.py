"""answers-differ: passes of one point that answered differently."""

from __future__ import annotations

from typing import Any

from tests.nouns import Lists, run_of
from truerecall.checks.answers_differ import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding


def case(*passes: Lists, failures: list[list[str]] | None = None, ids: list[list[int]] | None = None) -> dict[str, Any]:
    return {
        "runs": tuple(
            run_of(
                own,
                k=2,
                repeat=i,
                failures=None if failures is None else failures[i],
                query_ids=None if ids is None else ids[i],
            )
            for i, own in enumerate(passes)
        )
    }


ONE, OTHER = [[1, 2], [3, 4]], [[1, 2], [3, 9]]
FIRES = {
    "another row": case(ONE, OTHER),
    "in the third pass": case(ONE, ONE, OTHER),
    "one of two hundred": case([[1, 2]] * 200, [[1, 2]] * 199 + [[1, 3]]),
}
STAYS_QUIET = {
    "alike": case(ONE, ONE, ONE),
    "in another order": case(ONE, [[2, 1], [3, 4]]),
    "it failed once": case(ONE, [[1, 2], []], failures=[["", ""], ["", "timeout"]]),
    "queries in another order": case(ONE, ONE[::-1], ids=[[7, 8], [8, 7]]),
}


def test_they_are_counted_and_few_are_a_note() -> None:
    finding, few = (check.examine(**FIRES[name]) for name in ("in the third pass", "one of two hundred"))
    assert isinstance(finding, Finding)
    assert isinstance(few, Finding)
    assert finding.message.startswith("1 of 2 queries got other rows in another pass over the same index")
    assert (finding.evidence["first"], finding.severity, few.severity) == ("1", "warning", "note")


def test_it_needs_two_answers() -> None:
    assert isinstance(check.examine(**case(ONE)), CannotTell)
    failed = case(ONE, [[], []], failures=[["", ""], ["x", "x"]])
    assert check.examine(**failed) == CannotTell("no query was answered in two passes")
