"""padded-answers: places that hold no id (H20)."""

from __future__ import annotations

from tests.returned import bound, matrix
from truerecall.checks.padded_answers import check
from truerecall.model.finding import Finding

FIRES = {
    "H20": {"returned": bound(matrix([[*range(44), *[-1] * 6]]), [list(range(50))])},
    "in the middle": {"returned": bound([[1, None, 2]], [[1, 2, 3]])},
}
STAYS_QUIET = {"full": {"returned": bound(matrix([[1, 2]]), [[1, 2]])}, "short": {"returned": bound([[1]], [[1, 2]])}}


def test_h20_padding_is_counted() -> None:
    finding = check.examine(**FIRES["H20"])
    assert isinstance(finding, Finding)
    assert finding.severity == "note"
    assert finding.message == "6 of 50 places are padding (-1, null or empty) and hold no id"
    middle = check.examine(**FIRES["in the middle"])
    assert isinstance(middle, Finding)
    assert middle.evidence == {"padding": 1, "places": 3}
