"""The commands in the pages of docs/ do what the pages say: each of them runs, in order."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from truerecall.cli.main import main

PAGES = Path(__file__).parents[1] / "docs"


def commands_of(page: Path, section: str = "") -> list[list[str]]:
    """The commands of a page, or of one of its sections."""
    text = page.read_text(encoding="utf-8")
    lines = text.partition(f"\n## {section}\n")[2].split("\n## ")[0].splitlines() if section else text.splitlines()
    return [shlex.split(line)[1:] for line in lines if line.startswith("    truerecall ")]


def test_the_page_on_the_truth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    np.save("base.npy", rng.normal(size=(120, 4)).astype(np.float32))
    np.save("queries.npy", rng.normal(size=(60, 4)).astype(np.float32))
    np.save("keep.npy", rng.random(120) < 0.5)
    allowed = [json.dumps({"query_id": query, "ids": list(range(query))}) for query in range(60)]
    Path("allowed.jsonl").write_text("\n".join(allowed))
    commands = commands_of(PAGES / "truth.md")
    assert len(commands) == 12
    for command in commands:
        assert main(command) == 0, (command, capsys.readouterr().err)
        assert capsys.readouterr().out


def test_the_page_on_golden_sets_about_drawing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(240, 4)).astype(np.float32)
    np.save("base.npy", rows)
    ids, languages = [f"r{row}" for row in range(240)], ["en"] * 150 + ["de"] * 80 + ["fy"] * 10
    pq.write_table(pa.table({"id": ids, "lang": languages, "v": rows.tolist()}), "base.parquet")
    pq.write_table(pa.table({"kind": ["a", "b", "c"] * 80}), "attributes.parquet")
    log = [{"vector": row, "origin": "app" if place % 3 else "web"} for place, row in enumerate(rows[:50].tolist())]
    Path("log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in log * 2))
    commands = commands_of(PAGES / "golden-sets.md", "Drawing queries")
    assert len(commands) == 11
    said = []
    for command in commands:
        assert main(command) == 0, (command, capsys.readouterr().err)
        said.append(capsys.readouterr().out)
    assert "sampled corpus, 130 of 240 rows" in said[8]
    assert [line.split()[0] for line in said[9:]] == ["1204", "785"]
