"""An engine from another package, which exists wherever Python finds that package, and misbehaves as it is told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from truerecall import shelf

ENGINE = """
import os
import pathlib
import signal
import sys
import time

from truerecall.engines.faiss import engine as real
from truerecall.errors import EngineFailed, MissingExtra, UnknownName


class Index:
    def __init__(self, index):
        self.index = index

    def __getattr__(self, name):
        return getattr(self.index, name)

    def configure(self, settings):
        misbehave(f"efSearch={settings.get('efSearch')}")
        return self.index.configure(settings)


class Odd(Exception):
    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")


def misbehave(where):
    wanted, _, what = os.environ.get("PLANTED", "").partition(" ")
    if wanted != where:
        return
    if what.startswith("SIG"):
        os.kill(os.getpid(), getattr(signal, what))
    elif what == "exit":
        os._exit(3)
    elif what == "failed":
        raise EngineFailed("it broke", "mend it")
    elif what == "extra":
        raise MissingExtra("usearch", "bench")
    elif what == "name":
        raise UnknownName("setting", "efSerch", ["efSearch", "k"])
    elif what == "bug":
        raise ZeroDivisionError("of its own")
    elif what == "odd":
        raise Odd(1, 2)
    elif what == "print":
        print("native words", flush=True)
        os.write(1, b"more of them")
    elif what == "sleep":
        pathlib.Path(os.environ["PLANTED_PID"]).write_text(str(os.getpid()))
        time.sleep(120)


class Engine:
    name = "planted"

    def __getattr__(self, name):
        return getattr(real, name)

    def build(self, *args, **kwargs):
        misbehave("build")
        return Index(real.build(*args, **kwargs))

    def load(self, *args, **kwargs):
        misbehave("load")
        return Index(real.load(*args, **kwargs))


engine = Engine()
"""


@pytest.fixture
def planted(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the package, on the path of this process; the engine is called ``planted``."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "planted_engine.py").write_text(ENGINE)
    record = folder / "planted_engine-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: planted-engine\nVersion: 1.0\n")
    (record / "entry_points.txt").write_text("[truerecall.engines]\nplanted = planted_engine:engine\n")
    monkeypatch.syspath_prepend(str(folder))
    shelf._entries.cache_clear()
    yield folder
    shelf._entries.cache_clear()
    sys.modules.pop("planted_engine", None)
