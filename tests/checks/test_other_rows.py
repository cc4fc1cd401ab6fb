"""other-rows: an index of more or fewer rows than the corpus (H12)."""

from __future__ import annotations

from typing import Any

from tests.nouns import CORPUS, run_of
from truerecall.checks.other_rows import check
from truerecall.model.engine import IndexState
from truerecall.model.finding import Finding


def case(rows: int) -> dict[str, Any]:
    return {"run": run_of([[1]], k=1, state=IndexState("hnsw", rows, rows, True, "none", None, False))}


FIRES = {"H12: a copy of few": case(10), "more": case(CORPUS.rows + 1)}
STAYS_QUIET = {"as many": case(CORPUS.rows)}


def test_both_numbers_are_told() -> None:
    fewer, more = (check.examine(**FIRES[name]) for name in FIRES)
    assert isinstance(fewer, Finding)
    assert isinstance(more, Finding)
    assert fewer.message == "the index holds 10 rows and the corpus 1,000: the missing ones cannot be found"
    assert "holds 1,001 rows and the corpus 1,000: the others crowd out" in more.message
    assert {fewer.severity, more.severity} == {"warning"}
