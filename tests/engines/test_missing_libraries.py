"""Engines whose library is missing: their files import, say so, and name the extra once they are used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
from importlib import metadata
from pathlib import Path

import numpy as np

absent = {absent!r}

class Hiding:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in absent else self.finder.find_spec(name, path, target)

sys.meta_path[:] = map(Hiding, sys.meta_path)
found = metadata.version
def version(package):
    if package.replace("-", "_").removesuffix("_py") in absent:
        raise metadata.PackageNotFoundError(package)
    return found(package)
metadata.version = version

from truerecall import shelf
from truerecall.errors import MissingExtra
from truerecall.model.engine import Place
from truerecall.model.source import ArraySource

engine = shelf.engines.get({name!r})
assert engine.version() is None or absent == {{"milvus_lite"}}, engine.version()
assert not absent & set(sys.modules)
engine.search_settings({{}}, distance="l2", dimensions=4)
rows = ArraySource(np.eye(4, dtype=np.float32))
try:
    engine.build(rows, "l2", {{}}, seed=0, threads=1, place=Place(Path({place!r})))
except MissingExtra as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("name", "absent", "extra"),
    [
        ("duckdb", {"duckdb", "duckdb_extension_vss"}, "duckdb"),
        ("duckdb", {"duckdb_extension_vss"}, "duckdb"),
        ("hnswlib", {"hnswlib"}, "hnswlib"),
        ("lancedb", {"lancedb"}, "lancedb"),
        ("milvus", {"pymilvus", "milvus_lite"}, "milvus"),
        ("pgvector", {"psycopg"}, "postgres"),
        ("qdrant", {"qdrant_client"}, "qdrant"),
        ("qdrant_edge", {"qdrant_edge"}, "qdrant-edge"),
        ("scann", {"scann"}, "scann"),
        ("sqlite_vec", {"sqlite_vec", "apsw"}, "sqlite-vec"),
        ("sqlite_vec", {"apsw"}, "sqlite-vec"),
        ("usearch", {"usearch"}, "usearch"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(name: str, absent: set[str], extra: str, tmp_path: Path) -> None:
    script = SCRIPT.format(name=name, absent=absent, place=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith(f"is not installed; run: pip install 'truerecall[{extra}]'")
