"""Each engine has a page made from its file, whose example runs; and the page on a new one can be followed."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tools.engine_pages import PAGES, main, pages
from truerecall.cli.engine_card import notes_of
from truerecall.cli.main import main as truerecall
from truerecall.shelf import engines

NEW = PAGES.parent / "new-engine.md"
EXAMPLES = {
    name: command
    for name in engines.names()
    for command in re.findall(r"^    truerecall (.*)$", pages()[f"{name}.md"], re.M)
}
FUNCTION = """
import numpy as np

def search(queries, k, corpus, cells=4):
    distances = ((corpus[None] - queries[:, None]) ** 2).sum(2)
    return np.argsort(distances, axis=1)[:, :k]
"""


def test_the_pages_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--check"])
    assert capsys.readouterr().out.strip() == "all pages are up to date", "run: make pages"
    assert status == 0
    assert {path.stem for path in PAGES.glob("*.md")} == {*engines.names(), "README"}


@pytest.mark.parametrize("name", engines.names())
def test_each_engine_tells_its_traps(name: str) -> None:
    notes = notes_of(engines.get(name))
    assert notes.head.endswith(".")
    assert len(notes.traps) > 1
    assert all(trap.endswith(".") for trap in notes.traps)
    assert bool(notes.example) == (engines.get(name).tested == "real")


@pytest.fixture
def vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the examples name."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    np.save("base.npy", rng.normal(size=(600, 16)).astype(np.float32))
    np.save("queries.npy", rng.normal(size=(20, 16)).astype(np.float32))
    Path("mysearch.py").write_text(FUNCTION)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_runs(
    name: str, vectors: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    if name == "pgvector":
        request.getfixturevalue("database")
    assert truerecall([*shlex.split(EXAMPLES[name]), "--warmup", "0", "--repeats", "1", "--json"]) in (0, 3)
    points = json.loads(capsys.readouterr().out)["points"]
    assert {point["engine"] for point in points} == {name}
    assert all(point["latency"]["failed"] == 0 for point in points)
    best = max((point["scores"][0]["mean"] for point in points if point["scores"]), default=None)
    assert best is None or best > 0.9


def test_a_new_engine_from_outside(vectors: Path) -> None:
    """The page, followed to the letter: a package with an entry point, the suite, the list, a run."""
    page = NEW.read_text(encoding="utf-8")
    files = dict(re.findall(r"^`([\w.]+)`:\n\n```\w+\n(.*?)```", page, re.M | re.S))
    assert set(files) == {"pyproject.toml", "truerecall_coarse.py"}
    for name, text in files.items():
        (vectors / name).write_text(text)
    (checking,) = re.findall(r"^```python\n(from pathlib.*?)```", page, re.M | re.S)
    target = vectors / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", target, "."], check=True, timeout=300)
    (vectors / "truerecall_coarse.py").unlink()  # what is used is what was installed
    places = [str(target), *sys.path]
    begin = f"import sys; sys.path[:] = {places!r}\n"

    def python(code: str, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", begin + code, *arguments], capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    python(checking)
    run = "from truerecall.cli.main import main; raise SystemExit(main(sys.argv[1:]))"
    assert re.search(r"coarse +0\.1 ", python(run, "engines"))
    commands = [shlex.split(line)[1:] for line in re.findall(r"^    (truerecall .*)$", page, re.M)]
    assert [command[0] for command in commands] == ["engines", "run"]
    assert "Cells are of very different sizes" in python(run, *commands[0])
    points = json.loads(python(run, *commands[1], "--warmup", "0", "--repeats", "1", "--json"))["points"]
    recalls = sorted(point["scores"][0]["mean"] for point in points)
    assert recalls[0] < 0.7
    assert recalls[-1] == 1


def test_what_the_page_says_of_a_broken_one_is_so(vectors: Path) -> None:
    page = NEW.read_text(encoding="utf-8")
    files = dict(re.findall(r"^`([\w.]+)`:\n\n```\w+\n(.*?)```", page, re.M | re.S))
    broken: dict[str, object] = {"__name__": "broken"}
    exec(compile(files["truerecall_coarse.py"].replace("[:k]", ""), "broken.py", "exec"), broken)
    from truerecall.testing import check_engine

    with pytest.raises(AssertionError, match=r"\d+ answers came where k is 1"):
        check_engine(broken["engine"], folder=vectors)  # type: ignore[arg-type]
