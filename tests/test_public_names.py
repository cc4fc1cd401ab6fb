"""What the package offers by name, and the example in the README that uses it."""

from __future__ import annotations

import re
from pathlib import Path

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
    assert sorted(path.suffix for path in (tmp_path / "runs").iterdir()) == [".parquet", ".parquet"]
