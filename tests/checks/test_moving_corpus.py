"""moving-corpus: a truth that was read from a live store without a snapshot."""

from __future__ import annotations

from dataclasses import replace

from tests.nouns import truth_of
from truerecall.checks.moving_corpus import check
from truerecall.model.finding import Finding
from truerecall.model.truth import MOVING

truth = truth_of([[0], [1]])
FIRES = {"read by scrolling": {"truth": replace(truth, provenance={MOVING: "Qdrant scrolls over what is there now"})}}
STAYS_QUIET = {"read from files": {"truth": truth}}


def test_it_says_why() -> None:
    finding = check.examine(**FIRES["read by scrolling"])
    assert isinstance(finding, Finding)
    assert finding.severity == "warning"
    assert finding.message.endswith("without a snapshot: Qdrant scrolls over what is there now")
