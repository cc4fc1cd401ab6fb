"""Engines whose library is missing are listed all the same, and say what to install once they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import importlib.metadata, sys
from pathlib import Path

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == {module!r}:
            raise ImportError(name)

sys.meta_path.insert(0, Absent())
found = importlib.metadata.version
def version(name):
    if name == {package!r}:
        raise importlib.metadata.PackageNotFoundError(name)
    return found(name)
importlib.metadata.version = version

from truerecall.errors import MissingExtra
from truerecall.model.engine import Place
from truerecall.shelf import engines
engine = engines.get({name!r})
assert engine.version() is None and engine.search_settings({{}}, distance="l2", dimensions=8)
place = Place(Path("x"))
for use in (lambda: engine.attach("x", "l2", place=place), lambda: engine.source("x", place=place)):
    try:
        use()
    except MissingExtra as error:
        print(error)
"""


@pytest.mark.parametrize(
    ("name", "module", "package", "extra"),
    [
        ("qdrant_edge", "qdrant_edge", "qdrant-edge-py", "qdrant-edge"),
        ("lancedb", "lancedb", "lancedb", "lancedb"),
        ("qdrant", "qdrant_client", "qdrant-client", "qdrant"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(name: str, module: str, package: str, extra: str) -> None:
    script = SCRIPT.format(name=name, module=module, package=package)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    line = f"{package} is not installed; run: pip install 'truerecall[{extra}]'\n"
    assert (done.stdout, done.stderr) == (2 * line, "")
