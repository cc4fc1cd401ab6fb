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
        progress.now("nothing began with queries", None)
        progress.start("measuring", 10, "queries")
        progress.advance(3)
        progress.now("measure the third of four", 7_300.0)
    written = terminal.getvalue()
    for words in (
        "measure the third of four",
        "about 2 h left",
        "scanning",
        "2000/2000",
        "rows",
        "measuring",
        "3/10",
        "found [bold] text as it stands",
    ):
        assert words in written


def test_a_log_gets_one_line_for_every_piece_of_work(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress() as progress:
        assert isinstance(progress, PlainProgress)
        progress.start("scanning", 2_000, "rows")
        progress.now("the first half", None)
        progress.now("the second half", 100.0)
        progress.advance(2_000)
        progress.say("found")
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (
        "",
        "scanning: 2,000 rows\nthe first half\nthe second half (about 2 min left)\nfound\n",
    )


def test_a_piece_that_is_finished_stays_under_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with shown_progress() as progress:
        progress.start("measure", 10, "queries")
        progress.now("the last pass", 1.0)
        progress.advance(10)
    last = terminal.getvalue().rsplit("\r", 1)[-1]
    assert "measure" in last
    assert "the last pass" not in last
    assert "left" not in last
