"""Every check on the shelf has been seen to fire and to stay quiet.

A check NAME is tested in ``test_NAME.py``, which binds FIRES and STAYS_QUIET: evidence by the name of the case.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import pytest

from truerecall.model.check import code_of
from truerecall.shelf import checks
from truerecall.steps.check import outcome_of


@pytest.mark.parametrize("name", checks.names())
def test_every_check_fires_and_stays_quiet(name: str) -> None:
    cases: ModuleType = import_module(f"tests.checks.test_{name}")
    check = checks.get(name)
    assert check.title
    assert cases.FIRES, f"{name} has no case in which it fires"
    assert cases.STAYS_QUIET, f"{name} has no case in which it stays quiet"
    for case, evidence in cases.FIRES.items():
        outcome = outcome_of(code_of(name), check, evidence)
        assert (outcome.outcome, outcome.reason) == ("fired", ""), case
        assert outcome.finding is not None
        assert outcome.finding.code == code_of(name)
        assert outcome.finding.message
        assert outcome.finding.remedy
        assert outcome.finding.evidence
    for case, evidence in cases.STAYS_QUIET.items():
        assert outcome_of(code_of(name), check, evidence).outcome == "passed", case
