"""failed-queries: calls that brought no answer."""

from __future__ import annotations

from typing import Any

from tests.nouns import run_of, truth_of
from truerecall.checks.failed_queries import check
from truerecall.model.finding import Finding
from truerecall.steps.align import align


def evidence(failures: list[str]) -> dict[str, Any]:
    found = [[] if failure else [1] for failure in failures]
    run = run_of(found, k=1, failures=failures)
    truth = truth_of([[1]] * len(failures))
    answers = align(run.query_ids, run.neighbors, run.failed, truth, depth=1)
    return {"answers": answers, "failures": run.failures[run.failed]}


FIRES = {
    "some failed": evidence(["", "timeout", "", "timeout", ""]),
    "h27: all failed": evidence(["ConnectionError: refused"] * 60),
}
STAYS_QUIET = {"all answered": evidence(["", ""])}


def test_some_failures_are_a_warning_with_their_share() -> None:
    finding = check.examine(**FIRES["some failed"])
    assert isinstance(finding, Finding)
    assert finding.severity == "warning"
    assert "2 of 5 queries failed (first: timeout)" in finding.message
    assert finding.evidence["share"] == 0.4


def test_nothing_answered_is_invalid() -> None:
    finding = check.examine(**FIRES["h27: all failed"])
    assert isinstance(finding, Finding)
    assert finding.severity == "invalid"
    assert "60 of 60 queries failed (first: ConnectionError: refused); recall is undefined" in finding.message


def test_queries_without_an_answer_were_not_asked() -> None:
    none = run_of([], k=1)
    answers = align(none.query_ids, none.neighbors, none.failed, truth_of([[1]]), depth=1)
    finding = check.examine(answers, none.failures)
    assert isinstance(finding, Finding)
    assert "(first: not asked)" in finding.message
