"""short-answers: fewer neighbours than asked for, though the corpus has more."""

from __future__ import annotations

from typing import Any

from tests.nouns import Lists, run_of, truth_of
from truerecall.checks.short_answers import check
from truerecall.model.engine import Settings
from truerecall.model.finding import Finding
from truerecall.steps.align import align

hundred = list(range(100))


def evidence(
    truth: Lists,
    found: Lists,
    *,
    k: int,
    eligible: list[int] | None = None,
    failures: list[str] | None = None,
    in_force: Settings | None = None,
) -> dict[str, Any]:
    run = run_of(found, k=k, failures=failures, in_force=in_force)
    answers = align(run.query_ids, run.neighbors, run.failed, truth_of(truth, eligible=eligible), depth=k)
    return {"run": run, "asked_k": k, "answers": answers}


FIRES = {
    "H19": evidence([hundred] * 5, [hundred[:40]] * 5, k=100, in_force={"efSearch": 40}),
    "H20": evidence([hundred[:50]], [hundred[:44]], k=50),
    "fewer than are eligible": evidence([[1, 2, 3], [1]], [[1, 2], [1]], k=10, eligible=[3, 1]),
    "nothing at all": evidence([[1, 2]], [[]], k=2),
    "one short answer of many": evidence([[1, 2]] * 1000, [[1, 2]] * 999 + [[1]], k=2),
}
STAYS_QUIET = {
    "full": evidence([[1, 2], [3, 4]], [[9, 8], [7, 6]], k=2),
    "the filter keeps fewer": evidence([[1, 2], []], [[1, 2], []], k=10, eligible=[2, 0]),
    "a failed query": evidence([[1, 2], [3, 4]], [[1, 2], []], k=2, failures=["", "timeout"]),
}


def found(case: str) -> Finding:
    finding = check.examine(**FIRES[case])
    assert isinstance(finding, Finding)
    assert finding.severity == "warning"
    return finding


def test_forty_rows_whatever_was_asked() -> None:
    assert found("H19").message == (
        "5 of 5 queries returned 40 of 100; the ceiling of this setting is 0.40 (efSearch 40 < 100)"
    )


def test_missing_places_are_counted_and_set_the_ceiling() -> None:
    finding = found("H20")
    assert finding.message == "1 of 1 queries returned 44 of 50; the ceiling of this setting is 0.88"
    assert finding.evidence["missing"] == 6
    assert finding.evidence["ceiling"] == 0.88


def test_the_eligible_rows_are_what_can_be_expected() -> None:
    finding = found("fewer than are eligible")
    assert finding.message.startswith(
        "1 of 2 queries returned 2 of the 10 asked for, or of the eligible rows if fewer;"
    )
    assert finding.evidence["ceiling"] == (2 / 3 + 1) / 2


def test_a_ceiling_below_one_never_reads_as_one() -> None:
    assert "the ceiling of this setting is 0.9995" in found("one short answer of many").message


def test_nothing_at_all_is_a_ceiling_of_zero() -> None:
    assert "returned 0 of 2; the ceiling of this setting is 0.00" in found("nothing at all").message
