"""The commands in the pages of docs/ do what the pages say: each of them runs, in order."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import fields
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from truerecall.cli.main import main
from truerecall.model.check import code_of
from truerecall.shelf import checks
from truerecall.steps.check import subject_of
from truerecall.store.config import _Written

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
    np.save("tuesday.npy", np.concatenate([np.load("base.npy"), np.ones((3, 4), np.float32)]))
    np.save("keep.npy", rng.random(120) < 0.5)
    allowed = [json.dumps({"query_id": query, "ids": list(range(query))}) for query in range(60)]
    Path("allowed.jsonl").write_text("\n".join(allowed))
    commands = commands_of(PAGES / "truth.md")
    assert len(commands) == 15
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


def test_the_page_on_golden_sets_about_a_corpus_that_moved_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows, asked = (rng.normal(size=(count, 4)).astype(np.float32) for count in (120, 60))
    np.save("base.npy", rows)
    np.save("queries.npy", asked)
    build = ["truth", "build", "base.npy", "--queries", "queries.npy", "--distance", "l2", "-k", "10"]
    assert main([*build, "--out", "monday.parquet"]) == 0
    np.save("tuesday.npy", np.concatenate([rows[:-1], np.ones((3, 4), np.float32)]))
    np.save("answers.npy", np.argsort(((asked[:, None] - rows) ** 2).sum(axis=2), axis=1)[:, :10])
    (command,) = commands_of(PAGES / "golden-sets.md", "When the corpus has moved on")
    capsys.readouterr()
    assert main(command) == 0
    assert "2 added" in capsys.readouterr().out


def test_the_page_on_inspecting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    np.save("base.npy", rng.normal(size=(120, 4)).astype(np.float32))
    np.save("queries.npy", rng.normal(size=(60, 4)).astype(np.float32))
    commands = commands_of(PAGES / "inspect.md")
    assert len(commands) == 4
    for command in commands:
        assert main(command) == 0, (command, capsys.readouterr().err)
        assert capsys.readouterr().out
    assert Path("inspection.html").read_text(encoding="utf-8").count("<svg") > 5
    (example,) = re.findall(r"```python\n(.*?)```", (PAGES / "inspect.md").read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(example, "inspect.md", "exec"), {})
    assert "warning structureless" in capsys.readouterr().out


def test_the_page_on_inspecting_names_every_check_on_vectors() -> None:
    named = set(re.findall(r"^\| `([a-z-]+)` \|", (PAGES / "inspect.md").read_text(encoding="utf-8"), re.MULTILINE))
    subjects = {code_of(name): subject_of(checks.get(name)) for name in checks.names()}
    about = {code for code, own in subjects.items() if own in ("corpus_shape", "query_shape", "copies")}
    assert named == about | {"ties-at-cut", "near-ties"}


def test_the_page_on_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    base, queries = rng.normal(size=(120, 4)).astype(np.float32), rng.normal(size=(60, 4)).astype(np.float32)
    np.save("base.npy", base)
    np.save("queries.npy", queries)
    near = np.argsort(((queries[:, None] - base) ** 2).sum(axis=2), axis=1)[:, :10]
    lines = [f"{query},{own},{rank + 1}\n" for query, row in enumerate(near.tolist()) for rank, own in enumerate(row)]
    Path("answers.csv").write_text("query_id,neighbor_id,rank\n" + "".join(lines))
    parts = {"query_id": range(60), "stratum": ["head"] * 40 + ["tail"] * 20, "source": [n // 2 for n in range(60)]}
    pq.write_table(pa.table(parts), "parts.parquet")
    commands = commands_of(PAGES / "score.md")
    assert len(commands) == 7
    for command in commands:
        assert main(command) == 0, (command, capsys.readouterr().err)
        assert capsys.readouterr().out
    assert Path("score.html").read_text().startswith("<!DOCTYPE html>")
    (example,) = re.findall(r"```python\n(.*?)```", (PAGES / "score.md").read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(example, "score.md", "exec"), {})
    assert capsys.readouterr().out.startswith("suspect 0.83333333")


def test_the_page_on_measuring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    np.save("base.npy", rng.normal(size=(300, 8)).astype(np.float32))
    np.save("queries.npy", rng.normal(size=(30, 8)).astype(np.float32))
    items = {"price": rng.uniform(0, 20, 300), "colour": ["red", "green", "blue"] * 100}
    pq.write_table(pa.table({"v": list(np.load("base.npy")), **items}), "items.parquet")
    (plan,) = re.findall(r"```toml\n(.*?)```", (PAGES / "run.md").read_text(encoding="utf-8"), re.DOTALL)
    Path("truerecall.toml").write_text(plan)
    for command in commands_of(PAGES / "run.md"):
        assert main([*command, "--warmup", "0"]) == 0, (command, capsys.readouterr().err)
        assert capsys.readouterr().out
    engines = {"faiss": 2, "hnswlib": 2, "numpy_flat": 1}
    for name, settings in engines.items():
        assert len(list(Path("runs").glob(f"{name}-*.parquet"))) == settings * 3 * 2 * 2
    assert len(list(Path("other").glob("usearch-*.parquet"))) == 2 * 3
    assert len(list(Path("filtered").glob("numpy_flat-*.parquet"))) == 4 * 3


def test_the_page_on_measuring_names_every_key_and_flag() -> None:
    page = (PAGES / "run.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+)`", "".join(re.findall(r"^\| (`.*?) \|", page, re.MULTILINE))))
    assert {field.name for field in fields(_Written)} <= named


def test_the_page_on_uncertainty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    np.save("base.npy", rng.normal(size=(900, 8)).astype(np.float32))
    np.save("asked.npy", rng.normal(size=(80, 8)).astype(np.float32))
    pq.write_table(pa.table({"id": range(80), "stratum": ["head"] * 60 + ["tail"] * 20}), "queries.parquet")
    Path("sources.jsonl").write_text("".join(f'{{"query_id": {n}, "cluster": {n // 2}}}\n' for n in range(80)))
    vectors = ["--corpus", "base.npy", "--queries", "asked.npy", "--distance", "l2", "-k", "10", "--warmup", "0"]
    for factory, out in (("HNSW4", "small"), ("HNSW16", "large"), ("HNSW8", "runs")):
        flags = ["--engine", "faiss", "--set", f"factory={factory}", "--vary", "efSearch=10,20"]
        assert main(["run", *flags, *vectors, "--out", out]) == 0
    assert main(["truth", "export", "small/truth.parquet", "exact.json"]) == 0
    lists = json.loads(Path("exact.json").read_text())["neighbors"]
    for name, kept in (("yesterday.csv", 8), ("today.csv", 10)):
        Path(name).write_text("\n".join(",".join(map(str, row[:kept])) for row in lists))
    Path("run.parquet").write_bytes(next(Path("small").glob("*efSearch20*.parquet")).read_bytes())
    Path("truth.parquet").write_bytes(Path("small/truth.parquet").read_bytes())
    capsys.readouterr()
    commands = commands_of(PAGES / "uncertainty.md")
    assert len(commands) == 6
    for command in commands:
        assert main(command) == 0, (command, capsys.readouterr().err)
        assert capsys.readouterr().out


def test_the_page_on_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for name, rows in (("base", 200), ("queries", 40)):
        np.save(f"{name}.npy", (rng.normal(size=(rows, 3)) @ rng.normal(size=(3, 8))).astype(np.float32))
    measured = ["--engine", "faiss", "--set", "factory=HNSW8", "--corpus", "base.npy", "--queries", "queries.npy"]
    assert main(["run", *measured, "--distance", "l2", "-k", "5", "--out", "runs"]) == 0
    capsys.readouterr()
    commands = commands_of(PAGES / "check.md")
    assert len(commands) == 3
    for command in commands:
        assert main(command) == 0, (command, capsys.readouterr().err)
        assert "passed" in capsys.readouterr().out
