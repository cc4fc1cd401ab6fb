"""The reference: every row compared with every query in float64, by the formulas and in the order of the truth.

It needs nothing beyond NumPy and stands for what an engine can reach at best: recall 1.0, by a search of every row.
Rows that are equally near come in the order of their numbers; where ids of the corpus order them otherwise and they tie
at the cut, the truth may name the other one.

State
    A full scan of all rows at full precision, exact by design.

Costs
    It counts nothing; a query is compared with every row that may answer, and that number stands in the run.

Traps
    - It is exact: ``exact-by-design`` says so, and its recall says nothing of an index. Where it falls short of
      1.0, doubt the truth, the ids or the order of rows.
    - Its latency grows with the rows, and with a filter with those that pass.

Example
    --engine numpy_flat --distance l1
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.engines._attribute_tables import kept_rows
from truerecall.engines._base import BareEngine, BareIndex
from truerecall.errors import InputError
from truerecall.kernels.distances import order_keys
from truerecall.model.arrays import Floats, Integers, Vectors
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Capability, IndexState, Place, Setting, Settings
from truerecall.model.filter import Filter
from truerecall.model.settings import checked_settings
from truerecall.model.source import CorpusSource

BLOCK_ROWS = 1 << 16


@dataclass(eq=False)
class NumpyFlatIndex(BareIndex):
    """The rows as they were given."""

    vectors: Any
    distance: str
    attributes: Attributes | None
    kept: Integers | None = None
    engine = "numpy_flat"
    searchable = ()

    def configure(self, settings: Settings) -> Settings:
        checked_settings(settings, ())
        return {}

    def restrict(self, where: Filter | None) -> None:
        mask = kept_rows(where, self.attributes)
        self.kept = None if mask is None else np.flatnonzero(mask)

    def prepare(self, queries: Vectors) -> Vectors:
        return np.ascontiguousarray(queries)

    def search(self, query: Vectors, k: int) -> Integers:
        if self.kept is None:
            return _nearest(order_keys(self.distance, query[0], self.vectors), k)
        return self.kept[_nearest(order_keys(self.distance, query[0], self.vectors[self.kept]), k)]

    def exact(self, query: Vectors, k: int) -> Integers:
        return self.search(query, k)

    def state(self) -> IndexState:
        return IndexState(
            kind="flat",
            rows=len(self.vectors),
            indexed_rows=len(self.vectors),
            trained=None,
            transform="none",
            size_bytes=self.vectors.nbytes,
            exact_by_design=True,
            path="full scan",
            exhaustive=True,
        )

    def vectors_scanned(self, k: int) -> int | None:
        return len(self.vectors if self.kept is None else self.kept)

    def save(self, path: Path) -> None:
        with path.open("wb") as file:  # given a path, NumPy would add .npy to it
            np.save(file, self.vectors)

    def close(self) -> None:
        """Frees the memory; the index cannot be used afterwards."""
        self.vectors = None


def _nearest(keys: Floats, k: int) -> Integers:
    """The places of the k smallest, equal ones in their own order."""
    if k >= len(keys):
        return np.argsort(keys, kind="stable")
    near = np.flatnonzero(keys <= np.partition(keys, k - 1)[k - 1])
    return near[np.argsort(keys[near], kind="stable")[:k]]


class NumpyFlatEngine(BareEngine):
    """Keeps rows and searches all of them."""

    name = "numpy_flat"
    tested_with = "2.4.6"
    capabilities: frozenset[Capability] = frozenset({"build", "save", "exact", "filter"})
    build_settings: tuple[Setting, ...] = ()
    distances: Mapping[str, str] = {
        "l2": "in float64",
        "ip": "in float64",
        "cosine": "in float64",
        "l1": "in float64",
        "hamming": "bits that differ",
    }

    def version(self) -> str | None:
        return np.__version__

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        self.demand_distance(distance)
        checked_settings(build, ())
        return ()

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
    ) -> NumpyFlatIndex:
        self.demand_distance(distance)
        checked_settings(settings, ())
        vectors = np.empty((source.rows, source.dimensions), source.dtype)
        for start, block in source.blocks(BLOCK_ROWS):
            vectors[start : start + len(block)] = block
        return NumpyFlatIndex(vectors, distance, attributes)

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
    ) -> NumpyFlatIndex:
        checked_settings(settings, ())
        try:
            vectors = np.load(path, allow_pickle=False)
        except ValueError as error:
            raise InputError(f"{path} holds no vectors: {error}", "build it again") from None
        if vectors.dtype.kind == "V" and vectors.dtype.itemsize == source.dtype.itemsize:
            vectors = vectors.view(source.dtype)  # element types that NumPy does not know by name, such as bfloat16
        held, wanted = (*vectors.shape, vectors.dtype), (source.rows, source.dimensions, source.dtype)
        if held != wanted:
            told = [" x ".join(map(str, shape)) for shape in (held, wanted)]
            raise InputError(f"{path} holds {told[0]} and {source.name} is {told[1]}", "build it again")
        return NumpyFlatIndex(vectors, distance, attributes)


engine = NumpyFlatEngine()
