"""exact-by-design: an index that approximates nothing."""

from __future__ import annotations

from tests.nouns import run_of
from truerecall.checks.exact_by_design import check
from truerecall.model.finding import Finding

FIRES = {"a flat index": {"run": run_of([[0]], k=1, exact=True)}}
STAYS_QUIET = {"a graph": {"run": run_of([[0]], k=1)}}


def test_it_is_a_note_that_names_the_index() -> None:
    finding = check.examine(**FIRES["a flat index"])
    assert isinstance(finding, Finding)
    assert finding.severity == "note"
    assert "faiss IndexFlatL2 scans all 1,000 rows" in finding.message
