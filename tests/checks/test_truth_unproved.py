"""truth-unproved: lists from elsewhere that nobody has recomputed."""

from __future__ import annotations

from dataclasses import replace

from tests.nouns import truth_of
from truerecall.checks.truth_unproved import check
from truerecall.model.finding import Finding
from truerecall.model.truth import APPROXIMATE, SAMPLED, UNPROVED

truth = truth_of([[0], [1]])
FIRES = {"imported": {"truth": replace(truth, state=UNPROVED)}}
STAYS_QUIET = {
    "built": {"truth": truth},
    "a sample was verified": {"truth": replace(truth, state=SAMPLED)},
    "approximate, which is another finding": {"truth": replace(truth, state=APPROXIMATE)},
}


def test_it_warns_and_says_how_to_prove_it() -> None:
    finding = check.examine(**FIRES["imported"])
    assert isinstance(finding, Finding)
    assert finding.severity == "warning"
    assert "none of its 2 lists has been proved" in finding.message
    assert "truth build" in finding.remedy
