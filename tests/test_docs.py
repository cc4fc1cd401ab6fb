"""The commands in the pages of docs/ do what the pages say: each of them runs, in order."""

from __future__ import annotations

import inspect
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from truerecall.cli.main import main
from truerecall.model.check import code_of
from truerecall.shelf import checks

DOCS = Path(__file__).parents[1] / "docs"
TRUTH_PAGE, INSPECT_PAGE = DOCS / "truth.md", DOCS / "inspect.md"


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
    np.save("keep.npy", rng.random(120) < 0.5)
    allowed = [json.dumps({"query_id": query, "ids": list(range(query))}) for query in range(60)]
    Path("allowed.jsonl").write_text("\n".join(allowed))
    commands = commands_of(TRUTH_PAGE)
    assert len(commands) == 10
    for command in commands:
        assert main(command) == 0, (command, capsys.readouterr().err)
        assert capsys.readouterr().out


def test_the_page_on_inspecting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    np.save("base.npy", rng.normal(size=(120, 4)).astype(np.float32))
    np.save("queries.npy", rng.normal(size=(60, 4)).astype(np.float32))
    commands = commands_of(INSPECT_PAGE)
    assert len(commands) == 4
    for command in commands:
        assert main(command) == 0, (command, capsys.readouterr().err)
        assert capsys.readouterr().out
    assert Path("inspection.html").read_text(encoding="utf-8").count("<svg") > 5
    (example,) = re.findall(r"```python\n(.*?)```", INSPECT_PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(example, "inspect.md", "exec"), {})
    assert "warning structureless" in capsys.readouterr().out


def test_the_page_on_inspecting_names_every_check_on_vectors() -> None:
    named = set(re.findall(r"^\| `([a-z-]+)` \|", INSPECT_PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    needs = {name: set(inspect.signature(checks.get(name).examine).parameters) for name in checks.names()}
    about = {code_of(name) for name, own in needs.items() if own & {"corpus_shape", "query_shape", "copies"}}
    assert named == about | {"ties-at-cut"}
