"""Engines that lie: FAISS itself, with one thing about it that is not as it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from truerecall.engines.faiss import engine as faiss
from truerecall.model.arrays import Integers, Vectors
from truerecall.model.engine import IndexState, Setting, Settings
from truerecall.model.settings import checked_settings

EF = Setting("efSearch", int, "candidates kept while the graph is searched", 16, 1, 10_000, True)


class Twisted:
    """An index of FAISS but for what a lie replaces."""

    def __init__(self, index: Any) -> None:
        self.index = index

    def __getattr__(self, name: str) -> Any:
        return getattr(self.index, name)

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Integers]:
        return [self.search(queries[i : i + 1], k) for i in range(len(queries))]

    def search(self, query: Vectors, k: int) -> Integers:
        found: Integers = self.index.search(query, k)
        return found


class Liar:
    """``twist`` makes of a FAISS index one that lies. ``searchable``: the search settings that it claims to have."""

    def __init__(self, twist: Callable[[Any], Any], searchable: Sequence[Setting] | None = None) -> None:
        self.twist = twist
        self.searchable = searchable

    def __getattr__(self, name: str) -> Any:
        return getattr(faiss, name)

    def search_settings(self, build: Settings, **about: Any) -> Sequence[Setting]:
        return faiss.search_settings(build, **about) if self.searchable is None else self.searchable

    def build(self, *given: Any, **named: Any) -> Any:
        return self.twist(faiss.build(*given, **named))

    def load(self, *given: Any, **named: Any) -> Any:
        return self.twist(faiss.load(*given, **named))


class BruteForce(Twisted):
    """A flat index that passes for a graph: it takes a setting, repeats it, and scans everything."""

    def configure(self, settings: Settings) -> Settings:
        return {EF.name: EF.default or 0, **checked_settings(settings, [EF])}

    def state(self) -> IndexState:
        state: IndexState = self.index.state()
        return replace(state, kind="Graph", exact_by_design=False, path=None, told="", exhaustive=None)

    def vectors_scanned(self, k: int) -> int | None:
        return None


class AdmittedScan(BruteForce):
    """The same, of an engine whose plan admits it."""

    def state(self) -> IndexState:
        return replace(super().state(), path="full scan", told="Seq Scan on items")


class NothingIndexed(BruteForce):
    """The same, of an engine that counts what its index covers: nothing yet."""

    def state(self) -> IndexState:
        return replace(super().state(), indexed_rows=0)


class PartlyIndexed(Twisted):
    """A graph over a part of the rows that it was given."""

    def state(self) -> IndexState:
        state: IndexState = self.index.state()
        return replace(state, indexed_rows=state.rows * 9 // 10)


class DeadKnob(Twisted):
    """A graph that repeats every setting and searches with its own."""

    def configure(self, settings: Settings) -> Settings:
        return {**self.index.configure({}), **settings}


class Unheeding(Twisted):
    """A graph that says which setting is in force: not the one that was asked for."""

    def configure(self, settings: Settings) -> Settings:
        in_force: Settings = self.index.configure({})
        return in_force


class Tiring(Twisted):
    """A graph that loses more of its answer the harder it tries."""

    lost = 0

    def configure(self, settings: Settings) -> Settings:
        in_force: Settings = self.index.configure(settings)
        self.lost = int(in_force["efSearch"]) // 80
        return in_force

    def search(self, query: Vectors, k: int) -> Integers:
        return np.concatenate([super().search(query, k)[self.lost :], np.arange(self.lost)])


class Cut(Twisted):
    """A graph that returns no more rows than its effort, as some databases do."""

    effort = 0

    def configure(self, settings: Settings) -> Settings:
        in_force: Settings = self.index.configure(settings)
        self.effort = int(in_force["efSearch"])
        return in_force

    def search(self, query: Vectors, k: int) -> Integers:
        return super().search(query, k)[: self.effort]


class Shifted(Twisted):
    """Its ids begin at one."""

    def search(self, query: Vectors, k: int) -> Integers:
        return np.asarray(np.minimum(super().search(query, k) + 1, self.index.state().rows - 1))


class Backwards(Twisted):
    """It takes the largest distances for the best."""

    def search(self, query: Vectors, k: int) -> Integers:
        return super().search(-query, k)


class Repeating(Twisted):
    """It returns its best row ten times."""

    def search(self, query: Vectors, k: int) -> Integers:
        return np.repeat(super().search(query, k)[:1], k)


class Failing(Twisted):
    """Two of five calls find nobody at home, and come back fast."""

    calls = 0

    def search(self, query: Vectors, k: int) -> Integers:
        self.calls += 1
        if self.calls % 5 < 2:
            raise ConnectionError("refused")
        return super().search(query, k)


class Unreachable(Twisted):
    """Nobody is at home."""

    def search(self, query: Vectors, k: int) -> Integers:
        raise ConnectionError("refused")


class Slowing(Twisted):
    """Each search takes longer than the one before, as on a machine that heats up or a heap that fills."""

    calls = 0

    def configure(self, settings: Settings) -> Settings:
        self.calls = 0
        in_force: Settings = self.index.configure(settings)
        return in_force

    def search(self, query: Vectors, k: int) -> Integers:
        self.calls += 1
        for _ in range(1 + self.calls // 10):
            found = super().search(query, k)
        return found


class Instant(Twisted):
    """It knows the answer before it is asked, in less time than reading a clock takes."""

    def __init__(self, index: Any) -> None:
        super().__init__(index)
        self.rows = np.arange(1000)

    def search(self, query: Vectors, k: int) -> Integers:
        return self.rows[:k]


class Forgetful(Twisted):
    """Now and then it answers the same question differently."""

    calls = 0

    def search(self, query: Vectors, k: int) -> Integers:
        self.calls += 1
        found = super().search(query, k)
        return found[1:] if self.calls % 7 == 0 else found
