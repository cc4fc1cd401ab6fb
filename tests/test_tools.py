"""A test that skips for want of a tool fails where tools are required."""

from __future__ import annotations

from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")
TESTS = """
import pytest
from conftest import need_tool

def test_tool():
    need_tool("no-such-program-anywhere")

@pytest.mark.browser
def test_page():
    pytest.skip("there is no Chromium")

def test_other():
    pytest.skip("not on this platform")
"""
pytest_plugins = ["pytester"]


@pytest.mark.parametrize(("required", "outcomes"), [("", {"skipped": 3}), ("1", {"skipped": 1, "failed": 2})])
def test_skips_for_want_of_a_tool(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, required: str, outcomes: dict[str, int]
) -> None:
    monkeypatch.setenv("TRUERECALL_REQUIRE_TOOLS", required)
    pytester.makeconftest(CONFTEST.read_text())
    pytester.makeini("[pytest]\nmarkers = browser: needs a Chromium")
    pytester.makepyfile(TESTS)
    run = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    run.assert_outcomes(**outcomes)
    assert run.ret == (1 if required else 0)
