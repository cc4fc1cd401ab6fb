"""What a person does first: clone, `make demo`, open the page. And what a user of the package does: install a wheel."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import need_tool

ROOT = Path(__file__).parents[1]


def bare_environment() -> dict[str, str]:
    """This environment without what would lend the clone our own packages."""
    lent = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "TRUERECALL_REQUIRE_TOOLS")
    return {name: value for name, value in os.environ.items() if name not in lent}


def base_python() -> str:
    """The Python behind this virtual environment."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def command(*arguments: str | Path, at: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        arguments, cwd=at, capture_output=True, text=True, env=bare_environment(), stdin=subprocess.DEVNULL, check=False
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done


@pytest.mark.slow
def test_make_demo_on_a_fresh_clone(tmp_path: Path) -> None:
    git, make = need_tool("git"), need_tool("make")
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    clone = tmp_path / "a folder" / "clone"
    command(git, "clone", "--quiet", ROOT, clone, at=tmp_path)
    shown = command(make, "demo", f"PYTHON={base_python()}", at=clone)

    page = clone / "demo" / "report.html"
    assert str(page.resolve()) in shown.stdout
    text = page.read_text(encoding="utf-8")
    assert text.lstrip().lower().startswith("<!doctype html>")
    assert "recall@10" in text
    assert "<svg" in text
    assert not re.search(r"""(src|href)\s*=\s*["']https?://""", text), "the page loads something from elsewhere"

    before = {path: path.stat().st_mtime_ns for path in (clone / "demo").rglob("*.parquet")}
    assert len(before) >= 10, "a truth and a Run file for every point"
    command(make, "demo", f"PYTHON={base_python()}", at=clone)
    assert {path: path.stat().st_mtime_ns for path in (clone / "demo").rglob("*.parquet")} == before
    assert command(git, "status", "--porcelain", at=clone).stdout == ""


@pytest.mark.slow
def test_the_wheel_is_complete(tmp_path: Path) -> None:
    command(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, ROOT, at=tmp_path)
    (wheel,) = tmp_path.glob("truerecall-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    package = ROOT / "src" / "truerecall"
    wanted = {
        f"truerecall/{path.relative_to(package).as_posix()}"
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted <= packed
    notices = {Path(name).name for name in packed if ".dist-info/licenses/" in name}
    assert {"LICENSE", "LICENSE-wordnet.txt", "LICENSE-model.txt"} <= notices
