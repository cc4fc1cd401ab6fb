"""What a report says of searches behind filters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.steps.test_filters import G3, CarelessEngine, behind
from truerecall import shelf
from truerecall.cli.main import main
from truerecall.model.curve import Curve
from truerecall.model.selectivity import share_filter
from truerecall.report.html import to_html
from truerecall.report.markdown import to_markdown
from truerecall.report.summary import summarise
from truerecall.report.summary_parts import Summary
from truerecall.store.truths import load_truth


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Curve, ...]]:
    out = tmp_path_factory.mktemp("runs") / "runs"
    with shelf.engines.lend("numpy_flat", CarelessEngine()):
        return out, behind(out, share_filter(50), share_filter(1), G3, builds=2)


@pytest.fixture(scope="module")
def summary(measured: tuple[Path, tuple[Curve, ...]]) -> Summary:
    out, curves = measured
    return summarise(curves, load_truth(out / "truth.parquet"), measure="recall@10")


def test_filtered_searches_stand_apart(summary: Summary) -> None:
    assert [family.label for family in summary.families] == ["numpy_flat"]
    table = summary.behind
    assert table is not None
    assert [(own.text, own.kept) for own in table.narrowings] == [
        ("all rows", 1000),
        ("drawn_percent < 50", 500),
        ("g = 3", 100),
        ("drawn_percent < 1", 10),
    ]
    (line,) = table.lines
    cells = [cell for cell in line.cells if cell is not None]
    assert len(cells) == 4
    assert [cell.most for cell in cells] == [10, 10, 10, 10]
    assert cells[0].came == 10
    assert cells[3].came < 2
    assert [cell.short for cell in cells] == [False, False, True, True]
    assert all(cell.row.builds == 2 for cell in cells)


def test_every_face_shows_them(summary: Summary, measured: tuple[Path, tuple[Curve, ...]]) -> None:
    page = to_html(summary)
    assert "Behind filters" in page
    assert "drawn_percent &lt; 50" in page
    assert "of 10\u00a0rows came" in page
    text = to_markdown(summary)
    assert "## Behind filters" in text
    assert "| numpy\\_flat | the defaults | drawn\\_percent &lt; 1 | 1.0 % (10) |" in text


def test_a_document_names_the_filter_of_each_point(
    measured: tuple[Path, tuple[Curve, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(measured[0]), "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    filters = [point["filter"] and point["filter"]["text"] for point in points]
    assert filters == [None] * 2 + ["drawn_percent < 50"] * 2 + ["g = 3"] * 2 + ["drawn_percent < 1"] * 2
    assert points[2]["filter"] == {"text": "drawn_percent < 50", "kept": 500, "rows": 1000, "selectivity": 0.5}


def test_a_report_of_one_filter_is_a_report_like_any(
    measured: tuple[Path, tuple[Curve, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(path) for path in measured[0].glob("*where_g_3*.parquet")]
    assert main(["report", *files, "--format", "md"]) == 0
    text = capsys.readouterr().out
    assert "numpy\\_flat, where g = 3" in text
    assert "Behind filters" not in text


def test_verbs_that_hold_runs_against_each_other_take_those_of_one_filter(
    measured: tuple[Path, tuple[Curve, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    out = measured[0]
    one = str(next(out.glob("*where_g_3*build0*.parquet")))
    other = str(next(out.glob("*where_drawn_percent_50*build0*.parquet")))
    plain = str(next(path for path in out.glob("numpy_flat-build0*.parquet")))
    assert main(["score", one, "-k", "10", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"]
    assert main(["compare", plain, one]) == 3
    assert "searched behind no filter and g = 3" in capsys.readouterr().err
    assert main(["compare", one, other]) == 3
    assert main(["compare", str(out), str(out)]) == 0
    capsys.readouterr()
