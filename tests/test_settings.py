"""Settings: names are found, values are of the right kind and in range, and a refusal says what would do."""

from __future__ import annotations

import pytest

from truerecall.errors import InputError, UnknownName
from truerecall.model.engine import Setting, Settings
from truerecall.model.settings import checked_settings

KNOWN = (
    Setting("factory", str, "what to build"),
    Setting("efSearch", int, "candidates kept", 16, 1, 100),
    Setting("k_factor", float, "candidates re-ranked", 1.0, minimum=1),
)


def test_proper_names_and_kinds() -> None:
    checked = checked_settings({"FACTORY": "Flat", "efsearch": 100, "k-factor": 2}, KNOWN)
    assert checked == {"factory": "Flat", "efSearch": 100, "k_factor": 2.0}
    assert isinstance(checked["k_factor"], float)
    assert checked_settings({"factory": "Flat"}, KNOWN) == {"factory": "Flat"}


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({}, "factory is not set; set it: what to build"),
        ({"factory": 3}, "factory is 3; give a word"),
        ({"efSearch": 0}, "efSearch is 0; give a whole number from 1 to 100"),
        ({"efSearch": 101}, "efSearch is 101; give a whole number from 1 to 100"),
        ({"efSearch": 16.0}, "efSearch is 16.0; give a whole number from 1 to 100"),
        ({"efSearch": True}, "efSearch is True; give a whole number from 1 to 100"),
        ({"k_factor": 0.99}, "k_factor is 0.99; give a number not below 1"),
        ({"k_factor": float("nan")}, "k_factor is nan; give a number not below 1"),
        ({"k_factor": float("inf")}, "k_factor is inf; give a number not below 1"),
        ({"k_factor": 1, "k-factor": 2}, "k_factor is set twice; set it once"),
    ],
)
def test_refusals(given: Settings, line: str) -> None:
    with pytest.raises(InputError) as caught:
        checked_settings({"factory": "Flat", **given} if given else {}, KNOWN)
    assert str(caught.value) == line


def test_an_unknown_name() -> None:
    with pytest.raises(UnknownName, match="unknown setting ef; known are: efSearch, factory, k_factor"):
        checked_settings({"factory": "Flat", "ef": 4}, KNOWN)
