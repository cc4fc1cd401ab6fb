"""setting-ignored: a search setting that is not in force (H20)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.nouns import run_of
from truerecall.checks.setting_ignored import check
from truerecall.model.check import CannotTell
from truerecall.model.engine import Settings
from truerecall.model.finding import Finding


def case(asked: Settings, held: Settings) -> dict[str, Any]:
    run = run_of([[1]], k=1, asked=asked)
    return {"run": replace(run, setup=replace(run.setup, in_force=held))}


FIRES = {
    "H20: it stayed as it was": case({"nprobe": 4}, {"nprobe": 1}),
    "capped": case({"ef_search": 2000}, {"ef_search": 1000}),
    "never heard of again": case({"nprobs": 4}, {"nprobe": 1}),
    "a word": case({"kind": "strict"}, {"kind": "relaxed"}),
}
STAYS_QUIET = {
    "in force": case({"nprobe": 4}, {"nprobe": 4, "max_codes": 0}),
    "a float32": case({"k_factor": 1.1}, {"k_factor": 1.10000002384}),
    "nothing was asked": case({}, {}),
}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("capped", "ef_search was set to 2000 and is 1000: the number is of the settings in force"),
        ("never heard of again", "nprobs was set to 4 and is not read back"),
    ],
)
def test_both_values_are_told(name: str, words: str) -> None:
    finding = check.examine(**FIRES[name])
    assert isinstance(finding, Finding)
    assert finding.message.startswith(words)
    assert finding.severity == "warning"


def test_an_index_that_reads_nothing_back_has_shown_nothing() -> None:
    assert check.examine(**case({"nprobe": 4}, {})) == CannotTell("faiss reads back none of its settings")
