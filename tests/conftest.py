"""What all tests share: repeatable Hypothesis, and what a missing system tool means.

A test that needs a tool of the system says so with ``need_tool`` or skips with a reason that starts with ``needs``.
Where TRUERECALL_REQUIRE_TOOLS is set, as in CI, such a skip is a failure: what was not checked has not passed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.postgres import Server

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("searching", deadline=None)
settings.load_profile("searching")

TOOLS_REQUIRED = "TRUERECALL_REQUIRE_TOOLS"


@pytest.fixture(autouse=True)
def no_cache_of_the_user(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What programs keep in the cache folder, tests keep in one that is empty for each of them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


def need_tool(*names: str) -> str:
    """The path of the first of these programs that is installed; the test is skipped where none is."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"needs {names[0]}")
    return found


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """A PostgreSQL server with pgvector."""
    from tests.postgres import running_server

    with running_server() as server:
        yield server


@pytest.fixture
def database(postgres_server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An empty database of the test's own, which the PG* variables lead to."""
    for name in [name for name in os.environ if name.startswith("PG")]:
        monkeypatch.delenv(name)
    with postgres_server.database("of a test") as name:
        for variable, value in postgres_server.environment(name).items():
            monkeypatch.setenv(variable, value)
        yield name


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and os.environ.get(TOOLS_REQUIRED) and isinstance(report.longrepr, tuple):
        reason = str(report.longrepr[2]).removeprefix("Skipped: ")
        if reason.startswith("needs ") or item.get_closest_marker("browser"):
            report.outcome = "failed"
            report.longrepr = f"{TOOLS_REQUIRED} is set and this test was skipped: {reason}"
    return report
