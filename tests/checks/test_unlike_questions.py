"""unlike-questions: curves that ask unlike things side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.curves import curve_of, point_of
from tests.nouns import queries_print
from truerecall.checks.unlike_questions import check
from truerecall.model.finding import Finding
from truerecall.model.mode import Mode


def case(**second: Any) -> dict[str, Any]:
    """Two curves, the second with another setup."""
    return {"curves": (curve_of(point_of([1.0])), curve_of(point_of([1.0], **second)))}


FIRES = {
    "warm-up": case(warmup_calls=0),
    "mode": case(mode=Mode("batch", 64)),
    "queries": case(queries=replace(queries_print(7), digest="e" * 32)),
    "model": {
        "curves": (curve_of(point_of([1.0], model="minilm 1")), curve_of(point_of([1.0], model="minilm 2"))),
    },
}
STAYS_QUIET = {"alike": case(), "one model, told once": case(model="minilm 1"), "one": {"curves": case()["curves"][:1]}}


@pytest.mark.parametrize(
    ("name", "severity", "words"),
    [
        ("warm-up", "warning", "(warm-up calls: 0, 100): neither recall nor latency compares"),
        ("mode", "note", "(mode: batch:64, one-by-one): the times of a call do not compare across them"),
        ("model", "warning", "(model: minilm 1, minilm 2): neither"),
    ],
)
def test_what_forbids_and_what_may_be_meant(name: str, severity: str, words: str) -> None:
    finding = check.examine(**FIRES[name])
    assert isinstance(finding, Finding)
    assert (finding.severity, words in finding.message) == (severity, True), finding.message
