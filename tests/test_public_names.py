"""What the package offers by name, and the example in the README that uses it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import truerecall

README = Path(__file__).parents[1] / "README.md"


def test_every_public_name_is_there_and_is_documented() -> None:
    for name in truerecall._PLACES:
        assert getattr(truerecall, name).__doc__, name
        assert name in dir(truerecall)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = truerecall.nonsense


def test_the_readme_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "README.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("}")[0] for line in lines] == ["{'efSearch': 16", "{'efSearch': 64"]
    assert sorted(path.suffix for path in (tmp_path / "runs").iterdir()) == [".parquet"] * 6


def test_a_path_may_be_a_string(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for name, rows in (("x", 40), ("q", 3)):
        np.save(f"{name}.npy", rng.standard_normal((rows, 4)))
    Path("names.txt").write_text("".join(f"row {row}\n" for row in range(40)))
    corpus, queries = truerecall.open_corpus("x.npy", ids="names.txt"), truerecall.open_queries("q.npy")
    truth = truerecall.build_truth(corpus, queries, "l2", 5)
    truerecall.save_truth(truth, "t.parquet")
    assert (truerecall.load_truth("t.parquet").neighbors.ids == truth.neighbors.ids).all()
    plan = truerecall.Plan((truerecall.EnginePlan("faiss", {"factory": "Flat"}),), "l2", k=5, repeats=1)
    (made,) = truerecall.run(
        plan, corpus, queries, "runs", corpus_fingerprint=truth.corpus, query_fingerprint=truth.queries
    )
    (file,) = Path("runs").iterdir()
    assert (truerecall.load_run(str(file)).neighbors.ids == made.neighbors.ids).all()
