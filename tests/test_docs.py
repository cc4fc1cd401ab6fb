"""The commands in the pages of docs/ do what the pages say: each of them runs, in order."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from truerecall.cli.main import main

TRUTH_PAGE = Path(__file__).parents[1] / "docs" / "truth.md"


def commands_of(page: Path) -> list[list[str]]:
    lines = page.read_text(encoding="utf-8").splitlines()
    return [shlex.split(line)[1:] for line in lines if line.startswith("    truerecall ")]


def test_the_page_on_the_truth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    np.save("base.npy", rng.normal(size=(120, 4)).astype(np.float32))
    np.save("queries.npy", rng.normal(size=(60, 4)).astype(np.float32))
    np.save("tuesday.npy", np.concatenate([np.load("base.npy"), np.ones((3, 4), np.float32)]))
    np.save("keep.npy", rng.random(120) < 0.5)
    allowed = [json.dumps({"query_id": query, "ids": list(range(query))}) for query in range(60)]
    Path("allowed.jsonl").write_text("\n".join(allowed))
    commands = commands_of(TRUTH_PAGE)
    assert len(commands) == 15
    for command in commands:
        assert main(command) == 0, (command, capsys.readouterr().err)
        assert capsys.readouterr().out
