"""What the tests of the verbs share: a verb called in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from truerecall.cli.main import main

Verb = Callable[..., str]


@pytest.fixture
def verb(capsys: pytest.CaptureFixture[str]) -> Verb:
    def call(*arguments: str | Path, status: int = 0) -> str:
        ended = main([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        assert ended == status, shown.err
        assert "Traceback" not in shown.err
        return shown.out if status == 0 else shown.err

    return call
