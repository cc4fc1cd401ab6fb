"""hnswlib, in this process: a graph of navigable small worlds (HNSW) over float32 vectors.

hnswlib computes in float32, and under cosine it keeps vectors of unit length: both are declared in the state. Its
distances are never passed on: l2 comes squared, ip as one minus the product. It gives either k neighbours or none: a
search that finds fewer raises, and the query counts as failed. Built on one thread, the same seed and rows give the
same graph; on several they do not.

State
    The rows that the graph holds, its size as a file, and what was done to the vectors. It has no plan that could be
    asked: every search goes through the graph.

Costs
    It counts nothing that Python could read.

Traps
    - Fewer than k found is an error and no short answer: such a query counts as failed, and is not asked again.
    - Under cosine it keeps vectors of unit length: what comes out is not what went in.
    - It is compiled where it is installed, which takes a C++ compiler and the headers of Python, and for that
      processor: do not carry a built wheel elsewhere.
    - A filter is a Python function that is asked of every row on the way, on one thread. Answers stay full, latency
      grows.

Example
    --engine hnswlib --set M=16 --vary ef=16,64,256 --distance cosine
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.engines._attribute_tables import kept_rows
from truerecall.engines._base import BareEngine, BareIndex, demand_shape
from truerecall.engines._casts import as_float32, block_rows, cast_in_words
from truerecall.engines._library import imported, installed
from truerecall.errors import EngineFailed, InputError
from truerecall.model.arrays import Integers, Vectors
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Capability, IndexState, Place, Setting, Settings
from truerecall.model.filter import Filter
from truerecall.model.settings import checked_settings
from truerecall.model.source import CorpusSource

LARGEST = 2**31 - 1
BUILD_SETTINGS = (
    Setting("M", int, "links of a row in each layer, and twice as many in the lowest", 16, 2, 10_000),
    Setting("ef_construction", int, "candidates kept while the graph is built", 200, 1, LARGEST),
)
SEARCH_SETTINGS = (Setting("ef", int, "candidates kept while the graph is searched", 10, 1, LARGEST, True),)


@dataclass(eq=False)
class HnswlibIndex(BareIndex):
    """A filled graph. ``dtype``: of the vectors as given. ``threads``: for a batch."""

    index: Any
    distance: str
    dtype: np.dtype[Any]
    rows: int
    threads: int
    attributes: Attributes | None
    kept: Any = None
    engine = "hnswlib"
    searchable = SEARCH_SETTINGS

    def configure(self, settings: Settings) -> Settings:
        self.index.set_ef(checked_settings(settings, SEARCH_SETTINGS).get("ef", SEARCH_SETTINGS[0].default))
        return {"ef": self.index.ef}

    def restrict(self, where: Filter | None) -> None:
        """hnswlib asks a Python function of every row that it comes by, and then searches on one thread."""
        self.kept = kept_rows(where, self.attributes)

    def prepare(self, queries: Vectors) -> Vectors:
        return as_float32(queries, unit_length=self.distance == "cosine")

    def search(self, query: Vectors, k: int) -> Integers:
        ids: Integers = self._found(query, k, 1)[0]
        return ids

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Integers]:
        """A query for which fewer than k are found fails the whole batch."""
        return list(self._found(queries, k, self.threads))

    def _found(self, queries: Vectors, k: int, threads: int) -> Any:
        narrowed: dict[str, Any] = {"num_threads": threads}
        most = self.rows
        if self.kept is not None:
            narrowed, most = {"num_threads": 1, "filter": self.kept.__getitem__}, int(self.kept.sum())
        if not most:
            return np.empty((len(queries), 0), np.int64)
        try:
            return self.index.knn_query(queries, min(k, most), **narrowed)[0].view(np.int64)
        except RuntimeError as error:
            raise EngineFailed(
                f"hnswlib found fewer than {k} neighbours and gave none: {error}", "raise M or ef"
            ) from None

    def state(self) -> IndexState:
        unit = "normalised" if self.distance == "cosine" else ""
        return IndexState(
            kind="HNSW",
            rows=self.rows,
            indexed_rows=self.index.element_count,
            trained=None,
            transform=", ".join(filter(None, (cast_in_words(self.dtype), unit))) or "none",
            size_bytes=self.index.index_file_size(),
            exact_by_design=False,
            path="index",
            exhaustive=False,
        )

    def save(self, path: Path) -> None:
        self.index.save_index(str(path))
        written = path.stat().st_size if path.exists() else 0
        if written != self.index.index_file_size():  # it does not look whether its writing succeeds
            raise EngineFailed(f"hnswlib wrote {written} of {self.index.index_file_size()} bytes", "free some space")

    def close(self) -> None:
        """Frees the memory; the index cannot be used afterwards."""
        self.index = None


class HnswlibEngine(BareEngine):
    """Builds graphs with hnswlib."""

    name = "hnswlib"
    extra = "hnswlib"
    tested_with = "0.8.0"
    capabilities: frozenset[Capability] = frozenset({"build", "save", "filter"})
    build_settings = BUILD_SETTINGS
    distances: Mapping[str, str] = {
        "l2": "l2, squared",
        "ip": "ip, one minus the product",
        "cosine": "cosine, on vectors that it normalises",
    }

    def version(self) -> str | None:
        return installed("hnswlib")

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        self.demand_distance(distance)
        checked_settings(build, BUILD_SETTINGS)
        return SEARCH_SETTINGS

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
    ) -> HnswlibIndex:
        self.demand_distance(distance)
        checked = {s.name: s.default for s in BUILD_SETTINGS} | checked_settings(settings, BUILD_SETTINGS)
        index = _empty(distance, source.dimensions)
        index.init_index(source.rows, random_seed=seed, **checked)
        for start, block in source.blocks(block_rows(source)):
            rows = as_float32(block, unit_length=distance == "cosine")
            index.add_items(rows, np.arange(start, start + len(rows)), num_threads=threads)
        return HnswlibIndex(index, distance, source.dtype, source.rows, threads, attributes)

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
    ) -> HnswlibIndex:
        checked_settings(settings, BUILD_SETTINGS)
        rows, width = _shape(path)
        demand_shape(path, rows, width, source)
        index = _empty(distance, source.dimensions)
        try:
            index.load_index(str(path))
        except RuntimeError as error:
            raise InputError(f"{path} is no index of hnswlib: {error}", "build it again") from None
        return HnswlibIndex(index, distance, source.dtype, source.rows, threads, attributes)


def _empty(distance: str, dimensions: int) -> Any:
    return imported("hnswlib", package="hnswlib", extra="hnswlib").Index(distance, dimensions)


def _shape(path: Path) -> tuple[int, int]:
    """Rows and dimensions that a saved index tells in its header; it does not look at the dimensions itself.

    The header begins with numbers of 64 bits: where the lowest layer begins, places, rows, bytes of a row, and where in
    a row its label and its vector lie. Raises InputError where there is none.
    """
    header = np.fromfile(path, np.uint64, 6)
    if len(header) < 6:
        raise InputError(f"{path} is no index of hnswlib", "build it again")
    _, _, rows, _, label, vector = header.tolist()
    return rows, (label - vector) // 4


engine = HnswlibEngine()
