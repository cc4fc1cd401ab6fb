"""truth-approximate: lists that an index made give agreement, never recall (H17)."""

from __future__ import annotations

from dataclasses import replace

from tests.nouns import run_of, truth_of
from truerecall.checks.truth_approximate import check
from truerecall.model.finding import Finding
from truerecall.model.measure_name import MeasureName
from truerecall.model.truth import APPROXIMATE, UNPROVED
from truerecall.steps.score import score_run

reference = truth_of([[*range(8), 20, 21]])
FIRES = {"H17": {"truth": replace(reference, state=APPROXIMATE)}}
STAYS_QUIET = {"built": {"truth": reference}, "imported": {"truth": replace(reference, state=UNPROVED)}}


def test_h17_no_recall_is_shown_against_another_graph() -> None:
    finding = check.examine(**FIRES["H17"])
    assert isinstance(finding, Finding)
    assert finding.severity == "invalid"
    point = score_run(run_of([list(range(10))], k=10), FIRES["H17"]["truth"], measures=[MeasureName("recall", 10)])
    assert point.scores == ()
    assert point.verdict == "invalid"
    assert "truth-approximate" in {found.code for found in point.findings}
