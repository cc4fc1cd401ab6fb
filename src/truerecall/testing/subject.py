"""An engine under test: small seeded vectors, indexes of them, and the nearest rows by direct formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.kernels.distances import order_keys
from truerecall.model.arrays import Integers, Vectors, frozen
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Engine, Index, Place, Settings
from truerecall.model.source import ArraySource, CorpusSource

ROWS, DIMENSIONS, K = 1200, 16, 10
X: Vectors = frozen(np.random.default_rng(1).normal(size=(ROWS, DIMENSIONS)).astype(np.float32))
Q: Vectors = frozen(np.random.default_rng(2).normal(size=(24, DIMENSIONS)).astype(np.float32))
BITS: Vectors = frozen(np.random.default_rng(6).integers(0, 256, size=(ROWS, DIMENSIONS), dtype=np.uint8))
BIT_QUERIES: Vectors = frozen(np.random.default_rng(7).integers(0, 256, size=(24, DIMENSIONS), dtype=np.uint8))
MOST_LOST = 0.1
"""Of the true neighbours, by an approximate index at its greatest effort on a thousand rows."""
LayOut = Callable[[Sequence[int | str], Vectors, str], str | None]
"""Puts rows under these ids to where an engine can attach to an index of them for this distance, and gives the name to
attach by; None where it cannot have such ids. Called again with other ids, it gives another name, or replaces them."""


class DoesNotApply(Exception):
    """A law that says nothing of an engine, and why."""


@dataclass(eq=False)
class Subject:
    """``build``: the settings with which indexes are built; ``most``: of a search, those of its greatest effort where
    not each of them can be at its maximum. ``lay_out``: how rows of others come to be, for engines that attach to them
    or stream them. ``kept``: an index that laws share."""

    engine: Engine
    folder: Path
    build: Settings = field(default_factory=dict)
    most: Settings = field(default_factory=dict)
    dsn_file: Path | None = None
    lay_out: LayOut | None = None
    opened: list[Index] = field(default_factory=list)
    kept: list[Index] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def __enter__(self) -> Subject:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close_all(self.kept)
        self.close_all(self.opened)

    def close_all(self, indexes: list[Index]) -> None:
        while indexes:
            with suppress(Exception):  # what a broken engine says here is not what was asked
                indexes.pop().close()

    def can(self, capability: str) -> bool:
        return capability in self.engine.capabilities

    def place(self) -> Place:
        """Another one each time."""
        self.places.append(Place(self.folder / f"{len(self.places)}.place", self.dsn_file))
        return self.places[-1]

    def built(
        self,
        rows: Vectors | CorpusSource = X,
        distance: str = "",
        *,
        threads: int = 1,
        attributes: Attributes | None = None,
    ) -> Index:
        """An index over rows, under the first distance of the engine or the named one."""
        source = ArraySource(rows) if isinstance(rows, np.ndarray) else rows
        own = distance or self.distance
        index = self.engine.build(
            source, own, self.build, seed=3, threads=threads, place=self.place(), attributes=attributes
        )
        self.opened.append(index)
        return index

    def index(self) -> Index:
        """One over X that laws share, at the defaults of its settings. No law changes its rows."""
        if not self.kept:
            self.built()
            self.kept.append(self.opened.pop())
        self.kept[0].configure({})
        return self.kept[0]

    def load(self, path: Path, rows: Vectors = X, *, threads: int = 1, attributes: Attributes | None = None) -> Index:
        index = self.engine.load(
            path, ArraySource(rows), self.distance, self.build, threads=threads, place=self.place(),
            attributes=attributes,
        )  # fmt: skip
        self.opened.append(index)
        return index

    def attached(self, name: str) -> Index:
        index = self.engine.attach(name, self.distance, place=self.place())
        self.opened.append(index)
        return index

    def distances_of_vectors(self) -> Iterable[str]:
        """The distances that an index of the build can be made for, without that of bits."""
        for distance in self.engine.distances:
            with suppress(InputError):
                self.engine.search_settings(self.build, distance=distance, dimensions=DIMENSIONS)
                if distance != "hamming":
                    yield distance

    @property
    def distance(self) -> str:
        """The one that laws are tried under where any will do: of vectors, not of bits."""
        return next(name for name in self.engine.distances if name != "hamming")

    def at_most(self, index: Index) -> Settings:
        """The index at its greatest effort: every setting that is one of effort at its maximum, or above all rows."""
        efforts = [setting for setting in index.searchable if setting.more_is_more_effort]
        most = {own.name: own.kind(min(own.maximum or np.inf, 2 * ROWS)) for own in efforts}
        return index.configure({**most, **{name: value for name, value in self.most.items() if name in most}})

    def at_least(self, index: Index) -> Settings:
        efforts = [setting for setting in index.searchable if setting.more_is_more_effort]
        return index.configure({own.name: own.kind(1 if own.minimum is None else own.minimum) for own in efforts})


def answers(index: Index, queries: Vectors = Q, k: int = K) -> list[list[Any]]:
    """What it answers, one by one."""
    prepared = index.prepare(queries)
    return [plain(index.search(prepared[i : i + 1], k)) for i in range(len(prepared))]


def plain(answer: Any) -> list[Any]:
    return np.asarray(answer).tolist() if isinstance(answer, np.ndarray) else list(answer)


def nearest(rows: Vectors, queries: Vectors, distance: str, k: int = K) -> list[list[int]]:
    """The true neighbours in float64, ties by row."""
    return [np.argsort(order_keys(distance, query, rows), kind="stable")[:k].tolist() for query in queries]


def recall(truth: Sequence[Sequence[int]], found: Sequence[Sequence[int]]) -> float:
    return float(np.mean([len(set(a) & set(b)) / len(a) for a, b in zip(truth, found, strict=True)]))


def stretched(dtype: str) -> tuple[Vectors, Vectors]:
    """Rows of many lengths, which tell distances apart, and queries, in this element type."""
    rows: Vectors = X * np.random.default_rng(3).uniform(0.2, 5, size=(ROWS, 1))
    queries: Vectors = Q
    if dtype.endswith("int8"):
        bounds = np.iinfo(dtype)
        middle = 50 if dtype == "uint8" else 0
        rows, queries = (np.clip(np.rint(20 * part + middle), bounds.min, bounds.max) for part in (rows, queries))
    return rows.astype(dtype), queries.astype(dtype)


@dataclass(frozen=True, eq=False)
class Reused:
    """A source whose blocks lie in one buffer, each overwritten by the next, as a file reader's may."""

    vectors: Vectors
    name: str = "reused"
    bits: int | None = None

    @property
    def rows(self) -> int:
        return len(self.vectors)

    @property
    def dimensions(self) -> int:
        return int(self.vectors.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.vectors.dtype

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        buffer = np.empty((100, self.dimensions), self.dtype)
        for first in range(start, self.rows, 100):
            piece = self.vectors[first : first + 100]
            buffer[: len(piece)] = piece
            yield first, buffer[: len(piece)]

    def take(self, rows: Integers) -> Vectors:
        taken: Vectors = self.vectors[rows]
        return taken


def refused(use: Callable[[], object], error: type[Exception], what: str) -> str:
    """What the error says. Raises AssertionError where it does not come."""
    try:
        use()
    except error as told:
        return str(told)
    raise AssertionError(f"{what} was not refused with {error.__name__}")
