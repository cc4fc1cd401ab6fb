"""The table of checks in docs/check.md is made from their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import check_page
from tools.check_page import BEGIN, END, PAGE, made, main, question_of
from truerecall.model.check import code_of
from truerecall.shelf import checks


def test_the_table_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--check"])
    assert capsys.readouterr().out.strip() == "the table is up to date", "run: make pages"
    assert status == 0
    rows = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == [code_of(name) for name in checks.names()]


def test_a_stale_table_is_told_and_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check_page, "PAGE", tmp_path / "check.md")
    (tmp_path / "check.md").write_text(f"before\n{BEGIN}stale\n{END}after\n", encoding="utf-8")
    assert main(["--check"]) == 1
    assert "not up to date" in capsys.readouterr().out
    assert main([]) == 0
    assert main(["--check"]) == 0
    text = (tmp_path / "check.md").read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    with pytest.raises(ValueError, match="no place for the table"):
        made("nothing")


def test_every_check_asks_a_question() -> None:
    assert all(question_of(name).endswith("?") for name in checks.names())
