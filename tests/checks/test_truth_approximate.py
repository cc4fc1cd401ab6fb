"""truth-approximate: lists that an index made give agreement, never recall (H17)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.nouns import run_of, truth_of
from truerecall.checks.truth_approximate import check
from truerecall.errors import InputError
from truerecall.model.finding import Finding
from truerecall.model.measure_name import MeasureName
from truerecall.model.truth import APPROXIMATE, UNPROVED
from truerecall.steps.score import score_run

reference = truth_of([[*range(8), 20, 21]])
FIRES = {"H17": {"truth": replace(reference, state=APPROXIMATE)}}
STAYS_QUIET = {"built": {"truth": reference}, "imported": {"truth": replace(reference, state=UNPROVED)}}


def test_h17_no_recall_is_shown_against_another_graph() -> None:
    finding = check.examine(FIRES["H17"]["truth"])
    assert isinstance(finding, Finding)
    assert finding.severity == "invalid"
    point = score_run(run_of([list(range(10))], k=10), FIRES["H17"]["truth"], measures=[MeasureName("recall", 10)])
    assert point.scores == ()
    assert point.verdict == "invalid"
    assert "truth-approximate" in {found.code for found in point.findings}


def test_h17_agreement_alone_is_shown_and_says_what_it_is() -> None:
    agreement = [MeasureName("agreement", 10)]
    for found, expected in (([*range(8), 20, 21], 1.0), (list(range(10)), 0.8)):
        point = score_run(run_of([found], k=10), FIRES["H17"]["truth"], measures=agreement)
        assert [score.mean for score in point.scores] == [expected]
        assert [f.severity for f in point.findings if f.code == "truth-approximate"] == ["note"]
    mixed = score_run(run_of([found], k=10), FIRES["H17"]["truth"], measures=[*agreement, MeasureName("recall", 10)])
    assert mixed.scores == ()
    with pytest.raises(InputError, match="this truth is exact; ask for recall@10"):
        score_run(run_of([found], k=10), reference, measures=agreement)
