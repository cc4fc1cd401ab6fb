"""partly-indexed: rows that the index does not cover (qdrant#5606)."""

from __future__ import annotations

from typing import Any

from tests.nouns import run_of
from truerecall.checks.partly_indexed import check
from truerecall.model.check import CannotTell
from truerecall.model.engine import IndexState
from truerecall.model.finding import Finding


def case(indexed: int | None, rows: int) -> dict[str, Any]:
    return {"run": run_of([[1]], k=1, state=IndexState("hnsw", rows, indexed, True, "none", None, False))}


FIRES = {"H21, see also": case(1_813_977, 1_814_714), "less than half": case(400, 1000)}
STAYS_QUIET = {"all": case(1000, 1000), "none, which is another check's": case(0, 1000)}


def test_the_share_never_reads_as_all_and_most_rows_outside_weigh_more() -> None:
    few, many = (check.examine(**FIRES[name]) for name in FIRES)
    assert isinstance(few, Finding)
    assert isinstance(many, Finding)
    assert few.message.startswith("1,813,977 of 1,814,714 rows are indexed (99.96 %); the others")
    assert (few.severity, many.severity) == ("note", "warning")
    almost = check.examine(**case(9_999_999, 10_000_000))
    assert isinstance(almost, Finding)
    assert "(99.99999 %)" in almost.message


def test_it_cannot_tell_where_nobody_counts() -> None:
    assert isinstance(check.examine(**case(None, 10)), CannotTell)
