"""Each engine has a page made from its file, whose example runs; and the page on a new one can be followed."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.engines.qdrant_stub import running_stub
from tools.engine_pages import PAGES, main, pages
from truerecall.cli.engine_notes import notes_of
from truerecall.cli.main import main as truerecall
from truerecall.shelf import engines

NEW = PAGES.parent / "new-engine.md"
EXAMPLES = [
    (name, command.replace("\\\n", ""))
    for name in engines.names()
    for command in re.findall(r"^    truerecall (.*\n        .*)$", (PAGES / f"{name}.md").read_text(), re.M)
]


def test_the_pages_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--check"])
    assert capsys.readouterr().out.strip() == "all pages are up to date", "run: make pages"
    assert status == 0
    assert {path.stem for path in PAGES.glob("*.md")} == {*engines.names(), "README"}


@pytest.mark.parametrize("name", engines.names())
def test_each_engine_says_what_a_reader_must_know(name: str) -> None:
    engine = engines.get(name)
    notes = notes_of(engine)
    assert notes.head.endswith(".")
    assert {"State", "Costs"} <= set(notes.stated)
    assert ("Attached" in notes.stated) == ("attach" in engine.capabilities)
    assert len(notes.traps) > 1
    assert all(said.endswith(".") for said in (*notes.text, *notes.stated.values(), *notes.traps))
    assert notes.examples
    assert all(example.startswith(f"--engine {name} ") for example in notes.examples)


@pytest.mark.parametrize("name", engines.names())
def test_the_versions_that_it_was_tested_with_are_those_at_hand(name: str, request: pytest.FixtureRequest) -> None:
    engine = engines.get(name)
    if not engine.tested_with:
        assert engine.extra is None
        return
    assert engine.version() in engine.tested_with
    if name == "pgvector":
        with request.getfixturevalue("postgres_server").connect() as connection:
            server, extension = connection.execute(
                "SELECT current_setting('server_version'), default_version"
                " FROM pg_available_extensions WHERE name = 'vector'"
            ).fetchone()
        assert engine.tested_with == f"PostgreSQL {server}, pgvector {extension}, {engine.version()}"


def test_a_stub_is_called_a_stub() -> None:
    stubs = [name for name in engines.names() if engines.get(name).tested == "stub"]
    assert stubs == ["qdrant"]
    assert all(("**tested: stub.**" in text) == (page == "qdrant.md") for page, text in pages().items())


@pytest.fixture
def vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the examples name."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    np.save("base.npy", rng.normal(size=(600, 16)).astype(np.float32))
    np.save("queries.npy", rng.normal(size=(20, 16)).astype(np.float32))
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.fixture
def servers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Whatever server an engine wants, in the environment."""

    def start(name: str) -> None:
        if name == "pgvector":
            request.getfixturevalue("database")
        if engines.get(name).tested == "stub":
            stub = running_stub()
            monkeypatch.setenv("NO_PROXY", "127.0.0.1")
            monkeypatch.setenv("QDRANT_URL", stub.__enter__().url)
            request.addfinalizer(lambda: stub.__exit__(None, None, None))

    return start


def test_every_engine_has_an_example() -> None:
    assert {name for name, _ in EXAMPLES} == set(engines.names())


@pytest.mark.parametrize(("name", "command"), EXAMPLES, ids=lambda text: text.partition(" --vary")[0])
def test_the_example_runs(
    name: str, command: str, vectors: Path, servers: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """It answers at every setting, reaches what it should, and counts nothing but what the page says that it counts."""
    servers(name)
    notes = notes_of(engines.get(name))
    if notes.code:
        (vectors / notes.code.splitlines()[0].removeprefix("# ")).write_text(notes.code)
    assert truerecall([*shlex.split(command), "--warmup", "0", "--repeats", "1", "--json"]) in (0, 3)
    points = json.loads(capsys.readouterr().out)["points"]
    (varied,) = re.findall(r"--vary \w+=(\S+)", command) or ["once"]
    assert [point["engine"] for point in points] == [name] * len(varied.split(","))
    assert all(point["latency"]["failed"] == 0 for point in points)
    best = max((point["scores"][0]["mean"] for point in points if point["scores"]), default=None)
    assert best is None or best > 0.5  # few random rows: chance finds 0.02, and half is found by every index
    for point in points:
        assert set(point["cost"]) <= set(re.findall(r"``(\w+)``", notes.stated["Costs"])) | {"vectors_scanned"}


def test_what_an_engine_counts_is_on_its_page(vectors: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counted: dict[str, set[str]] = {}
    for name, command in EXAMPLES:
        if name in ("faiss", "usearch"):
            assert truerecall([*shlex.split(command.replace("runs/", name)), "--repeats", "1", "--json"]) == 0
            for point in json.loads(capsys.readouterr().out)["points"]:
                counted.setdefault(name, set()).update(point["cost"])
    assert "vectors_scanned" not in counted["faiss"]
    for name, costs in counted.items():
        said = notes_of(engines.get(name)).stated["Costs"]
        assert costs == {word for word in re.findall(r"``(\w+)``", said) if word != "visited_members"}


def test_a_new_engine_from_outside(vectors: Path) -> None:
    """The page, followed to the letter: a package with an entry point, the suite, the list, a run."""
    page = NEW.read_text(encoding="utf-8")
    files = dict(re.findall(r"^`([\w.]+)`:\n\n```\w+\n(.*?)```", page, re.M | re.S))
    assert set(files) == {"pyproject.toml", "truerecall_coarse.py"}
    for name, text in files.items():
        (vectors / name).write_text(text)
    (checking,) = re.findall(r"^```python\n(from pathlib.*?)```", page, re.M | re.S)
    target = vectors / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, *offline, "--target", target, "."], check=True, timeout=300)
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
