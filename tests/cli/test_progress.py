"""Progress: a bar for a person, plain lines for a log."""

from __future__ import annotations

import io
import sys

import pytest

from truerecall.cli.progress import BarProgress, PlainProgress, shown_progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_person_sees_a_bar_for_every_piece_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with shown_progress() as progress:
        assert isinstance(progress, BarProgress)
        progress.advance(1)  # before any piece of work: nothing to show
        progress.start("scanning", 2_000, "rows")
        for _ in range(20):
            progress.advance(100)
        progress.say("found [bold] text as it stands")
        progress.start("measuring", 10, "queries")
        progress.advance(3)
    written = terminal.getvalue()
    for words in ("scanning", "2000/2000", "rows", "measuring", "3/10", "found [bold] text as it stands"):
        assert words in written


def test_a_log_gets_one_line_for_every_piece_of_work(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress() as progress:
        assert isinstance(progress, PlainProgress)
        progress.start("scanning", 2_000, "rows")
        progress.advance(2_000)
        progress.say("found")
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "scanning: 2,000 rows\nfound\n")
