"""The rules of the house that a script can see: who may import whom, and what an import costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import truerecall

PACKAGE = Path(truerecall.__file__).parent
FLOORS = {
    "kernels": 0,
    "model": 1,
    "errors": 1,
    "shelf": 1,
    "machine": 2,
    "store": 2,
    "engines": 3,
    "measures": 3,
    "checks": 3,
    "judges": 3,
    "scan": 3,
    "steps": 4,
    "report": 5,
    "testing": 5,
    "cli": 6,
    "pytest_plugin": 6,
    "__init__": 6,
    "__main__": 6,
}
SHELVES = ("engines", "measures", "checks", "judges")
CLOCK_READERS = ("steps",)
FILES = sorted(PACKAGE.rglob("*.py"))


def place(file: Path) -> str:
    """The room of a file: its top folder, or its own name at the top."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


def imported_modules(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{file} imports relatively"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_modules(file: Path) -> set[str]:
    """The files of ours that a file imports, as dotted paths below the package."""
    found = set()
    for module in imported_modules(file):
        if module.startswith("truerecall."):
            path = module.removeprefix("truerecall.")
            stem = PACKAGE.joinpath(*path.split("."))
            if stem.with_suffix(".py").exists():
                found.add(path)
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(PACKAGE)))
def test_a_file_imports_only_from_lower_floors_or_its_own_folder(file: Path) -> None:
    room = place(file)
    for module in own_modules(file):
        other = module.split(".")[0]
        if other == room:
            continue
        assert FLOORS[other] <= FLOORS[room], f"{room} must not import {module}"
        if FLOORS[other] == FLOORS[room]:
            assert room != other
            assert room not in SHELVES, f"a shelf must not import another: {module}"


@pytest.mark.parametrize("shelf", SHELVES)
def test_files_on_a_shelf_do_not_import_public_siblings(shelf: str) -> None:
    for file in (PACKAGE / shelf).glob("*.py") if (PACKAGE / shelf).exists() else ():
        for module in own_modules(file):
            parts = module.split(".")
            assert parts[0] != shelf or parts[-1].startswith("_"), f"{file.name} imports {module}"


def test_no_circles() -> None:
    graph = {}
    for file in FILES:
        name = ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
        graph[name] = own_modules(file)
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path, name))
        if name in done:
            return
        for other in graph.get(name, ()):
            visit(other, (*path, name))
        done.add(name)

    for name in graph:
        visit(name, ())


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(PACKAGE)))
def test_only_steps_read_a_clock(file: Path) -> None:
    if place(file) not in CLOCK_READERS:
        clocks = {"time", "datetime", "timeit"} & {m.split(".")[0] for m in imported_modules(file)}
        assert not clocks, f"{file} imports {clocks}"


def test_kernels_know_no_nouns_and_do_no_io() -> None:
    for file in (PACKAGE / "kernels").glob("*.py"):
        modules = set(imported_modules(file))
        assert not {m for m in modules if m.startswith("truerecall.") and ".kernels" not in m}
        assert not {"os", "io", "pathlib", "pyarrow"} & {m.split(".")[0] for m in modules}


def test_importing_loads_the_standard_library_and_numpy_alone() -> None:
    script = (
        "import sys, truerecall; print(sorted({m.split('.')[0] for m in sys.modules} - set(sys.stdlib_module_names)))"
    )
    out = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    loaded = {name for name in ast.literal_eval(out.stdout) if not name.startswith("_")}
    assert loaded <= {"truerecall", "numpy"}, loaded
