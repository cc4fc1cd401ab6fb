"""duplicate-rows: rows that are stored several times."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shapes import corpus_shape, sizes
from truerecall.checks.duplicate_rows import check
from truerecall.model.finding import Finding
from truerecall.model.shape import Duplicates


def case(n: int, *groups: int, k: int = 10) -> dict[str, Any]:
    return {"corpus_shape": corpus_shape(duplicates=Duplicates(n, sizes(*groups)), k=k)}


FIRES = {"H02": case(1000, 902), "one pair": case(10_000, 2), "many small groups": case(1000, *[10] * 50)}
STAYS_QUIET = {"all different": case(1000)}


def test_h02_one_vector_stored_902_times() -> None:
    finding = check.examine(**FIRES["H02"])
    assert isinstance(finding, Finding)
    assert finding.severity == "warning"
    assert finding.message.startswith(
        "1 duplicate group, largest 902, 901 surplus rows: id recall is not usable near them: 90.2% of rows"
    )
    assert "tie-aware" in finding.remedy
    assert finding.evidence["share"] == 0.902


@pytest.mark.parametrize("case", ["one pair", "many small groups"])
def test_groups_that_fit_into_a_list_are_a_note(case: str) -> None:
    finding = check.examine(**FIRES[case])
    assert isinstance(finding, Finding)
    assert finding.severity == "note"
    assert "may lose id recall" in finding.message


@pytest.mark.parametrize(("rows", "severity"), [(100, "warning"), (99, "note")])
def test_it_is_a_warning_from_one_row_in_a_hundred_on(rows: int, severity: str) -> None:
    finding = check.examine(**case(10_000, rows))
    assert isinstance(finding, Finding)
    assert finding.severity == severity
