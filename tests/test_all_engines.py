"""Every engine in one plan, over the corpus of the demo: the curves lie over each other in one report."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest

from truerecall import shelf
from truerecall.cli.main import main

EXAMPLE = Path(__file__).parents[1] / "examples" / "all-engines"


def test_the_example_has_a_section_for_every_engine_that_is_real() -> None:
    plan = tomllib.loads((EXAMPLE / "truerecall.toml").read_text())
    real = {name for name in shelf.engines.names() if shelf.engines.get(name).tested == "real"}
    assert {section["name"] for section in plan["engine"]} == real
    commands = re.findall(r"truerecall run (.*)$", (EXAMPLE / "README.md").read_text(), re.M)
    assert commands == ["--plan truerecall.toml"]


@pytest.mark.slow
def test_one_plan_runs_them_all_and_one_report_shows_them(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    plan = Path("truerecall.toml")
    plan.write_text(plan.read_text().replace("../../src", str(EXAMPLE.parents[1] / "src")))
    monkeypatch.syspath_prepend(str(tmp_path / "here"))
    assert main(["run", "--plan", "truerecall.toml", "--repeats", "1", "--warmup", "20", "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    sections = tomllib.loads(plan.read_text())["engine"]
    assert {point["engine"] for point in points} == {section["name"] for section in sections}
    assert len(points) == sum(max(1, *map(len, section.get("vary", {"": [1]}).values())) for section in sections)
    best: dict[str, float] = {}
    for point in points:
        assert point["latency"]["failed"] == 0, point["label"]
        assert point["scores"], (point["label"], point["settings"], point["findings"])
        best[point["label"]] = max(best.get(point["label"], 0.0), point["scores"][0]["mean"])
    codes: dict[str, set[str]] = {label: set() for label in best}
    for point in points:
        codes[point["label"]] |= {finding["code"] for finding in point["findings"]}
    for exact in ("numpy_flat", "sqlite_vec"):
        assert best[exact] == 1
        assert "exact-by-design" in codes[exact]
    assert "recall-ceiling" in codes["faiss IVF128,PQ32x8"]
    assert best["faiss IVF128,PQ32x8"] < 0.95
    assert all(value > 0.9 for label, value in best.items() if "PQ" not in label), best
    assert main(["report", "runs", "--out", "report.html"]) == 0
    page = Path("report.html").read_text()
    assert all(label in page for label in best)
