"""Each measure has a page made from its file, and the examples on it run."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from tools.measure_pages import PAGES, main, pages, parts_of
from truerecall.shelf import measures


def test_the_pages_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--check"])
    assert capsys.readouterr().out.strip() == "all pages are up to date", "run: make pages"
    assert status == 0
    assert {path.stem for path in PAGES.glob("*.md")} == {*measures.names(), "README"}


@pytest.mark.parametrize("name", measures.names())
def test_the_worked_example_runs(name: str) -> None:
    if measures.get(name).extra:
        pytest.importorskip("ir_measures")
    outcome = doctest.testmod(import_module(f"{measures.package}.{name}"))
    assert outcome.attempted > 1
    assert outcome.failed == 0


def test_a_stale_page_is_named_and_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.measure_pages.PAGES", tmp_path)
    (tmp_path / "gone.md").write_text("of a measure that is gone")
    assert main(["--check"]) == 1
    assert "gone.md" in capsys.readouterr().out
    assert main([]) == 0
    assert {path.name for path in tmp_path.iterdir()} == set(pages())
    assert main(["--check"]) == 0


def test_a_docstring_without_its_sections_is_refused() -> None:
    with pytest.raises(ValueError, match="has the sections Formula, and not"):
        parts_of("thing@k: a thing.\n\nFormula\n    1")
