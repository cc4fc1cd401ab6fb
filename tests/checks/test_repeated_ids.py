"""repeated-ids: one row in two places of an answer (H03)."""

from __future__ import annotations

from tests.nouns import answers_of
from truerecall.checks.repeated_ids import check
from truerecall.model.finding import Finding

ten = list(range(10))
FIRES = {
    "H03": {"answers": answers_of([ten], [[0] * 10])},
    "one of two": {"answers": answers_of([[1, 2], [3, 4]], [[1, 2], [3, 3]])},
}
STAYS_QUIET = {
    "distinct": {"answers": answers_of([[1, 2], [3, 4]], [[2, 1], [2, 1]])},
    "padding is no id": {"answers": answers_of([[1, 2, 3]] * 2, [[1], [1, 2, 3]])},
}


def test_h03_ten_times_the_same_point() -> None:
    finding = check.examine(**FIRES["H03"])
    assert isinstance(finding, Finding)
    assert finding.message == "1 of 1 queries returned repeated ids: 9 places hold a row that came before"
