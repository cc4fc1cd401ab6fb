"""One build of one engine on the bench: built or loaded, set up, and measured pass after pass."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Protocol

from threadpoolctl import threadpool_limits

from truerecall import machine, shelf
from truerecall.model.arrays import Vectors
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Engine, Index, IndexState, Place, Settings
from truerecall.model.progress import Progress
from truerecall.model.source import CorpusSource
from truerecall.steps.one_pass import Asked, ask_every_query
from truerecall.steps.pulse import Pulse
from truerecall.steps.task import Task

Isolation = Literal["process", "none"]
"""Whether each build has a process of its own, or all share the one that asks for them."""


@dataclass(frozen=True, eq=False)
class Recipe:
    """From what an index is made. ``engine``: its name on the shelf; ``attach``: the name of an index that exists,
    empty where one is built; ``source``: None where there is one. ``attributes``: the columns that filters look at,
    None where there are none."""

    engine: str
    source: CorpusSource | None
    distance: str
    settings: Settings
    seed: int
    threads: int
    place: Place
    attach: str = ""
    attributes: Attributes | None = None


@dataclass(frozen=True, eq=False)
class Measured:
    """One pass as it came about: what came back, the settings in force, the index at these, where it was, and what the
    index names its answers by. ``lost``: what the engine says where it answers no more, else empty."""

    asked: Asked
    in_force: Settings
    state: IndexState
    environment: Mapping[str, Any]
    answers: Literal["rows", "ids"]
    lost: str


class Workplace(Protocol):
    """A Bench, here or in a process of its own. ``save`` and ``measure`` want an index: ``build``, ``load`` or
    ``attach`` first."""

    def build(self) -> tuple[float, IndexState]: ...
    def load(self, path: Path) -> None: ...
    def attach(self) -> IndexState: ...
    def save(self, path: Path) -> None: ...
    def measure(self, task: Task, progress: Progress) -> Measured: ...
    def close(self) -> None: ...


class Bench:
    """Holds one index in this process."""

    def __init__(self, recipe: Recipe, queries: Vectors, isolation: Isolation) -> None:
        self.recipe = recipe
        self.queries = queries
        self.isolation = isolation
        self.engine: Engine = shelf.engines.get(recipe.engine)
        self.index: Index | None = None
        self.pulse = Pulse()
        self.meter = machine.Meter(*([os.getppid()] if isolation == "process" else []))

    def build(self) -> tuple[float, IndexState]:
        """Build over all rows; the seconds that it took, and the index as it was then."""
        own = self.recipe
        start = time.perf_counter()
        self.index = self.engine.build(
            self._source(), own.distance, own.settings, seed=own.seed, threads=own.threads, place=own.place,
            attributes=own.attributes,
        )  # fmt: skip
        return time.perf_counter() - start, self.index.state()

    def load(self, path: Path) -> None:
        """The index that ``save`` wrote from the same recipe."""
        own = self.recipe
        self.index = self.engine.load(
            path, self._source(), own.distance, own.settings, threads=own.threads, place=own.place,
            attributes=own.attributes,
        )  # fmt: skip

    def attach(self) -> IndexState:
        """Open the index that exists; what it says of itself."""
        own = self.recipe
        self.index = self.engine.attach(own.attach, own.distance, place=own.place)
        return self.index.state()

    def save(self, path: Path) -> None:
        self._built().save(path)

    def measure(self, task: Task, progress: Progress) -> Measured:
        """Ask every query once. Searches have one thread each, a batch as many as the index was built with."""
        index = self._built()
        index.restrict(task.where)
        in_force = index.configure(task.search)
        prepared = index.prepare(self.queries)
        threads = self.recipe.threads if task.mode.kind == "batch" else 1
        with threadpool_limits(threads):
            environment = self._environment(index)
            environment["before"] = self.meter.read()
            asked = ask_every_query(
                index,
                prepared,
                task.k,
                order=task.order,
                mode=task.mode,
                warmup=task.warmup,
                progress=progress,
            )
            environment["during"] = self.meter.read()
            state, lost = self.pulse.look(index, task, prepared, asked)
        return Measured(asked, in_force, state, environment, index.answers, lost)

    def close(self) -> None:
        if self.index is not None:
            self.index.close()
            self.index = None

    def _source(self) -> CorpusSource:
        if self.recipe.source is None:
            raise ValueError("an index that exists is not made from anything")
        return self.recipe.source

    def _built(self) -> Index:
        if self.index is None:
            raise ValueError("nothing was built or loaded yet")
        return self.index

    def _environment(self, index: Index) -> dict[str, Any]:
        facts = machine.environment()
        facts["libraries"][self.engine.name] = self.engine.version()
        facts["isolation"] = self.isolation
        facts["client"] = "a worker process of its own" if self.isolation == "process" else "the process that judges"
        facts["server"] = index.server
        facts["when"] = datetime.now(UTC).isoformat()
        return facts
