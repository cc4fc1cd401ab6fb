"""An engine under test: small seeded vectors, indexes of them, and the nearest rows by direct formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from truerecall.kernels.distances import order_keys
from truerecall.model.arrays import Integers, Vectors, frozen
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Engine, Index, Place, Settings
from truerecall.model.source import ArraySource, CorpusSource

ROWS, DIMENSIONS, K = 1200, 16, 10
X: Vectors = frozen(np.random.default_rng(1).normal(size=(ROWS, DIMENSIONS)).astype(np.float32))
Q: Vectors = frozen(np.random.default_rng(2).normal(size=(24, DIMENSIONS)).astype(np.float32))


@dataclass(eq=False)
class Subject:
    """``build``: the settings with which indexes are built; ``most``: of a search, those of its greatest effort where
    not each of them can be at its maximum. ``kept``: an index that laws share."""

    engine: Engine
    folder: Path
    build: Settings = field(default_factory=dict)
    most: Settings = field(default_factory=dict)
    dsn_file: Path | None = None
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

    @property
    def distance(self) -> str:
        """The one that laws are tried under where any will do: of vectors, not of bits."""
        return next(name for name in self.engine.distances if name != "hamming")

    def at_most(self, index: Index) -> Settings:
        """The index at its greatest effort: every setting that is one of effort at its maximum, or above all rows."""
        efforts = [setting for setting in index.searchable if setting.more_is_more_effort]
        most = {own.name: own.kind(min(own.maximum or np.inf, 2 * ROWS)) for own in efforts}
        return index.configure({**most, **self.most})

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
