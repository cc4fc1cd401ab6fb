"""Help: every verb has it, and asking for it loads none of the heavy libraries."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

import truerecall
from truerecall.cli.main import main

VERBS = [[], ["demo"], ["truth"], ["truth", "build"], ["truth", "show"], ["truth", "verify"], ["truth", "refresh"],
         ["truth", "diff"], ["truth", "import"], ["truth", "export"],
         ["inspect"], ["run"], ["score"], ["sample"], ["sample", "size"], ["report"], ["engines"],
         ["measures"], ["checks"]]  # fmt: skip
HEAVY = {"pyarrow", "faiss", "scipy", "altair", "vl_convert", "jinja2"}


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_every_verb_has_help(verb: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*verb, "--help"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("Usage: truerecall")
    assert shown.err == ""


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys; from truerecall.cli.main import main; main(['run', '--help']);"
        "print(sorted({m.split('.')[0] for m in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(ast.literal_eval(done.stdout.splitlines()[-1]))
    assert "typer" in loaded
    assert not HEAVY & loaded


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"truerecall {truerecall.__version__}\n"
