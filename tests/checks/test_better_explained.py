"""better-explained: answers that fit something else better."""

from __future__ import annotations

from truerecall.checks.better_explained import check
from truerecall.model.finding import Finding
from truerecall.model.judged import Rival

FIRES = {"H07": {"rivals": (Rival("inner product", "search by l2", 1.0, 0.5), Rival("l1", "", 0.8, 0.5))}}
STAYS_QUIET: dict[str, dict[str, tuple[Rival, ...]]] = {"nothing better": {"rivals": ()}}


def test_the_best_is_named_and_all_are_evidence() -> None:
    finding = check.examine(**FIRES["H07"])
    assert isinstance(finding, Finding)
    assert finding.message == "results match inner product (1.000) better than what was declared (0.500)"
    assert [fit["what"] for fit in finding.evidence["fits"]] == ["inner product", "l1"]
