"""Engines that are broken on purpose, for the laws of engines: each breaks the law that is meant for it."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.engines.hnswlib import engine as hnswlib_engine
from truerecall.errors import InputError
from truerecall.model.engine import Settings


class Broken:
    """An engine whose indexes go through ``spoil``. ``map``: our distances -> those that it builds for instead."""

    def __init__(self, spoil: Any, engine: Any = hnswlib_engine, **changed: Any) -> None:
        self.spoil, self.engine, self.changed = spoil, engine, changed

    def __getattr__(self, name: str) -> Any:
        return self.changed[name] if name in self.changed else getattr(self.engine, name)

    def build(self, source: Any, distance: str, settings: Settings, **named: Any) -> Any:
        return self.spoil(self.engine.build(source, self._meant(distance), settings, **named))

    def load(self, path: Path, source: Any, distance: str, settings: Settings, **named: Any) -> Any:
        return self.spoil(self.engine.load(path, source, self._meant(distance), settings, **named))

    def attach(self, name: str, distance: str, **named: Any) -> Any:
        return self.spoil(self.engine.attach(name, self._meant(distance), **named))

    def _meant(self, distance: str) -> str:
        return str(self.changed.get("map", {}).get(distance, distance))


def honest(index: Any) -> Any:
    return index


def anonymous(index: Any) -> Any:
    index.identity = ""
    return index


def called_alike(index: Any) -> Any:
    index.identity = "an index"
    return index


def never_the_same(index: Any) -> Any:
    index.identity = str(id(index))
    return index


def off_by_one(index: Any) -> Any:
    search, batch = index.search, index.search_batch
    index.search = lambda query, k: (search(query, k) + 1) % index.rows
    index.search_batch = lambda queries, k: [(own + 1) % index.rows for own in batch(queries, k)]
    return index


def off_by_two(index: Any) -> Any:
    """Whole numbers are the ids of other rows, as the laws lay them out."""
    search, least = index.search, 2**53 + 1
    index.search = lambda query, k: [
        least + (own - least + 2) % 600 if isinstance(own, int) else own for own in search(query, k)
    ]
    return index


def padded(index: Any) -> Any:
    search = index.search
    index.search = lambda query, k: np.resize(search(query, k), k)
    return index


def minus_one(index: Any) -> Any:
    search = index.search
    index.search = lambda query, k: np.concatenate([search(query, k), -np.ones(k, np.int64)])[:k]
    return index


def reversed_answers(index: Any) -> Any:
    search = index.search
    index.search = lambda query, k: search(query, k)[::-1]
    return index


def deaf(index: Any) -> Any:
    """What it is told it repeats, and searches as before."""
    index.configure = lambda settings: {"ef": settings.get("EF", settings.get("ef", 10))}
    return index


def lingering(index: Any) -> Any:
    configure, held = index.configure, {}

    def configured(settings: Settings) -> Any:
        held.update({name.lower(): value for name, value in settings.items()})
        return configure(held)

    index.configure = configured
    return index


def guessing(index: Any) -> Any:
    state = index.state
    index.state = lambda: type(state())(**{**vars(state()), "rows": 1000})
    return index


def silent_about_effort(index: Any) -> Any:
    configure = index.configure

    def configured(settings: Settings) -> Any:
        try:
            return configure(settings)
        except InputError:
            return configure({})

    index.configure = configured
    return index


def writing(index: Any) -> Any:
    prepare = index.prepare

    def prepared(queries: Any) -> Any:
        queries /= np.linalg.norm(queries, axis=1, keepdims=True)
        return prepare(queries)

    index.prepare = prepared
    return index


def alone_only(index: Any) -> Any:
    """In a batch the queries get each other's answers."""
    batch = index.search_batch
    index.search_batch = lambda queries, k: list(batch(queries, k))[::-1]
    return index


def forgetful(index: Any) -> Any:
    """What is saved is an index of the last rows alone."""
    index.save = lambda path: path.write_bytes(b"nothing")
    return index


class Shared(Broken):
    """Whatever one index is told holds for all of them."""

    def __init__(self) -> None:
        super().__init__(honest)
        self.told: list[Any] = []

    def build(self, source: Any, distance: str, settings: Settings, **named: Any) -> Any:
        index = super().build(source, distance, settings, **named)
        self.told.append(index)
        configure = type(index).configure
        index.configure = lambda settings: [configure(own, settings) for own in self.told if own.index is not None][-1]
        return index


def never_reset(index: Any) -> Any:
    index.reset_cost = lambda: None
    index.cost = lambda: {"distance_computations": 7}
    return index


def undeletable(index: Any) -> Any:
    index.delete = lambda rows: None
    return index


def unchangeable(index: Any) -> Any:
    index.update = lambda rows, vectors: None
    return index


class Leaving(Broken):
    """What ``leave`` begins for an index is there after it was closed."""

    def __init__(self, leave: Any) -> None:
        super().__init__(honest)
        self.leave = leave
        self.left: list[Any] = []

    def build(self, source: Any, distance: str, settings: Settings, **named: Any) -> Any:
        self.left.append(self.leave(named["place"].folder))
        return super().build(source, distance, settings, **named)


def a_file(folder: Path) -> Any:
    folder.mkdir(parents=True, exist_ok=True)
    return (folder / "graph").open("wb")


def a_process(folder: Path) -> Any:
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])


def clamping(index: Any) -> Any:
    """What is above its reach it takes, keeps less, and tells nobody but who reads it back."""
    configure = index.configure
    index.configure = lambda settings: configure(
        {name: 50 if value == 2**31 - 1 else value for name, value in settings.items()}
    )
    return index


def boastful(index: Any) -> Any:
    """It says that every row is compared, and loses the nearest."""
    state, search = index.state, index.search
    index.state = lambda: dataclasses.replace(state(), exhaustive=True)
    index.search = lambda query, k: search(query, k + 1)[1:]
    return index


def modest(index: Any) -> Any:
    """It does not say that every row is compared, though it is."""
    state = index.state
    index.state = lambda: dataclasses.replace(state(), exhaustive=None, exact_by_design=False)
    return index


def cut_short(index: Any) -> Any:
    """Ids go through a float on their way."""
    search, batch = index.search, index.search_batch
    index.search = lambda query, k: [_rounded(own) for own in search(query, k)]
    index.search_batch = lambda queries, k: [[_rounded(own) for own in found] for found in batch(queries, k)]
    return index


def _rounded(own: Any) -> Any:
    return int(float(own)) if isinstance(own, int) else own


def spelt_otherwise(index: Any) -> Any:
    """Texts come as bytes."""
    search = index.search
    index.search = lambda query, k: [own.encode() if isinstance(own, str) else own for own in search(query, k)]
    return index


def writable(index: Any) -> Any:
    """What was attached to is written to."""
    index.delete = lambda rows: None
    return index


class Mixing(Broken):
    """Its corpus comes with the ids of other rows."""

    def source(self, name: str, **named: Any) -> Any:
        corpus = self.engine.source(name, **named)
        return dataclasses.replace(corpus, given_ids=corpus.given_ids[::-1])


class Careless(Broken):
    """It looks at a distance when it is too late."""

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> Any:
        return self.engine.search_settings(build, distance="l2", dimensions=dimensions)


def blind_to_filters(index: Any) -> Any:
    index.restrict = lambda where: None
    return index


def filter_for_good(index: Any) -> Any:
    """A filter is never lifted."""
    restrict = index.restrict
    index.restrict = lambda where: None if where is None else restrict(where)
    return index


class OneFilter(Broken):
    """Behind what filter one index is searched, behind that all are."""

    def __init__(self) -> None:
        super().__init__(honest)
        self.told: list[Any] = []

    def build(self, source: Any, distance: str, settings: Settings, **named: Any) -> Any:
        index = super().build(source, distance, settings, **named)
        self.told.append(index)
        restrict = type(index).restrict
        index.restrict = lambda where: [restrict(own, where) for own in self.told if own.attributes is not None]
        return index


def bare_after_a_change(index: Any) -> Any:
    """For sqlite-vec: a row that is given another vector loses its attributes."""
    update = index.update

    def updated(rows: Any, vectors: Any) -> None:
        update(rows, vectors)
        index.connection.executemany("DELETE FROM attributes WHERE id = ?", [(int(row),) for row in rows])

    index.update = updated
    return index


class Bare(Broken):
    """A loaded index has lost what filters look at, and lets everything through."""

    def load(self, path: Path, source: Any, distance: str, settings: Settings, **named: Any) -> Any:
        return blind_to_filters(super().load(path, source, distance, settings, **named))


def without_columns(index: Any) -> Any:
    """A filter that looks at columns that are not there lets everything through."""
    restrict = index.restrict

    def restricted(where: Any) -> None:
        try:
            restrict(where)
        except InputError:
            restrict(None)

    index.restrict = restricted
    return index
