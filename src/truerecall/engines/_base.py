"""What an engine and an index do where they do not offer something: they say so by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NoReturn

from truerecall.errors import Incapable, InputError, UnservedDistance
from truerecall.model.arrays import Vectors
from truerecall.model.attributes import Attributes
from truerecall.model.engine import IN_CLIENT, Answer, Capability, Index, Place, Setting, Settings
from truerecall.model.filter import Filter
from truerecall.model.source import CorpusSource
from truerecall.model.vectors import Corpus


class BareIndex(ABC):
    """A base for indexes. ``engine`` is the name of their engine; what a search spends it adds to ``spent``."""

    engine: str
    searchable: tuple[Setting, ...]
    server: str = IN_CLIENT
    spent: dict[str, int] | MappingProxyType[str, int] = MappingProxyType({})
    answers: Literal["rows", "ids"] = "rows"
    dimensions: int | None = None
    identity: str = ""

    @abstractmethod
    def search(self, query: Vectors, k: int) -> Answer: ...

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Answer]:
        """One by one, for engines that have no call for several queries."""
        return [self.search(queries[i : i + 1], k) for i in range(len(queries))]

    def restrict(self, where: Filter | None) -> None:
        if where is not None:
            self._cannot("filter")

    def exact(self, query: Vectors, k: int) -> Answer:
        self._cannot("exact")

    def reset_cost(self) -> None:
        self.spent = {}

    def cost(self) -> Mapping[str, int]:
        return dict(self.spent)

    def vectors_scanned(self, k: int) -> int | None:
        return None

    def delete(self, rows: Answer) -> None:
        self._cannot("delete")

    def update(self, rows: Answer, vectors: Vectors) -> None:
        self._cannot("update")

    def save(self, path: Path) -> None:
        self._cannot("save")

    def _cannot(self, capability: Capability) -> NoReturn:
        raise Incapable(self.engine, capability)


class BareEngine:
    """A base for engines."""

    name: str
    extra: str | None = None
    tested: Literal["real", "stub"] = "real"
    tested_with: str = ""
    capabilities: frozenset[Capability] = frozenset()
    distances: Mapping[str, str]

    def demand_filter(self, where: Filter) -> None:
        """An engine that filters at all is taken to say every filter. Raises Incapable."""
        if "filter" not in self.capabilities:
            self._cannot("filter")

    def demand_filterable(self, build: Settings, *, distance: str, dimensions: int) -> None:
        """Every build of an engine that filters at all is taken to. Raises Incapable."""
        if "filter" not in self.capabilities:
            self._cannot("filter")

    def build(
        self,
        source: CorpusSource,
        distance: str,
        settings: Settings,
        *,
        seed: int,
        threads: int,
        place: Place,
        attributes: Attributes | None = None,
    ) -> Index:
        self._cannot("build")

    def load(
        self,
        path: Path,
        source: CorpusSource,
        distance: str,
        settings: Settings,
        *,
        threads: int,
        place: Place,
        attributes: Attributes | None = None,
    ) -> Index:
        self._cannot("save")

    def attach(self, name: str, distance: str, *, place: Place) -> Index:
        self._cannot("attach")

    def source(self, name: str, *, place: Place) -> Corpus:
        self._cannot("source")

    def discard(self, path: Path, *, place: Place) -> None:
        """Nothing: all of an index lies in its file and in its place."""

    def demand_distance(self, distance: str) -> None:
        """Raises UnservedDistance where it is none of ours."""
        if distance not in self.distances:
            raise UnservedDistance(self.name, distance, self.distances)

    def _cannot(self, capability: Capability) -> NoReturn:
        raise Incapable(self.name, capability)


def demand_shape(path: Path, rows: int, dimensions: int, source: CorpusSource) -> None:
    """Raises InputError where a saved index, which holds so many rows of so many dimensions, is of another corpus."""
    if (rows, dimensions) != (source.rows, source.dimensions):
        held = f"{rows} rows of {dimensions} dimensions and {source.name} {source.rows} of {source.dimensions}"
        raise InputError(f"{path} holds {held}", "build it again")
