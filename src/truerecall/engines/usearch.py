"""usearch, in this process: a graph of navigable small worlds (HNSW) over vectors of an element type of one's choice.

Left alone usearch stores bfloat16; here it stores float32 unless ``dtype`` says otherwise, and any change of the
vectors is declared in the state. Its distances are never passed on. It takes no seed: what varies between builds is the
order of rows and, on several threads, chance; on one thread the same rows give the same graph.

State
    The rows that the graph holds, the element type that it really stores, its size as a file, and the change that this
    was to the vectors. Every search goes through the graph.

Costs
    ``distance_computations``, and as ``hops`` the nodes whose links were followed (``visited_members``), for each call.

Traps
    - Left alone it stores bfloat16, and even its exhaustive search misses neighbours then. Here ``dtype`` is
      ``f32``.
    - ``i8`` scales vectors of floats to a length of 127, which is of use under cosine only; under l2 recall has a
      ceiling.
    - On several threads two builds differ, in answers and in the distances computed: ask for several with
      ``--builds``.
    - Imported before FAISS it makes that one crash: here they are imported in the order that works.
    - Its Python has no search behind a filter.

Example
    --engine usearch --vary expansion_search=16,64,256 --distance ip
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.engines._base import BareEngine, BareIndex
from truerecall.engines._casts import as_float32, block_rows, cast_in_words
from truerecall.engines._choice import checked_choice
from truerecall.engines._library import imported, installed
from truerecall.errors import EngineFailed, InputError
from truerecall.model.arrays import Integers, Vectors
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Capability, IndexState, Place, Setting, Settings, Value
from truerecall.model.settings import checked_settings
from truerecall.model.source import CorpusSource

LARGEST = 2**31 - 1
WORDS = {"l2": "l2sq", "ip": "ip", "cosine": "cos"}
STORED = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "i8": "int8"}
BUILD_SETTINGS = (
    Setting("dtype", str, "how it stores the vectors: f64, f32, f16, bf16 or i8", "f32"),
    Setting("connectivity", int, "links of a row in each layer, and twice as many in the lowest", 16, 2, 10_000),
    Setting("expansion_add", int, "candidates kept while the graph is built", 128, 1, LARGEST),
)
SEARCH_SETTINGS = (Setting("expansion_search", int, "candidates kept while it is searched", 64, 1, LARGEST, True),)


@dataclass(eq=False)
class UsearchIndex(BareIndex):
    """A filled graph. ``dtype``: of the vectors as given, ``stored``: as they are kept. ``threads``: for a batch.
    ``calls``: of each call the nodes it visited and the distances it computed."""

    index: Any
    dtype: np.dtype[Any]
    stored: str
    threads: int
    calls: list[tuple[int, int]] = field(default_factory=list)
    engine = "usearch"
    searchable = SEARCH_SETTINGS

    def configure(self, settings: Settings) -> Settings:
        asked = checked_settings(settings, SEARCH_SETTINGS)
        self.index.expansion_search = asked.get("expansion_search", SEARCH_SETTINGS[0].default)
        return {"expansion_search": self.index.expansion_search}

    def prepare(self, queries: Vectors) -> Vectors:
        if self.stored == "i8" and self.dtype == np.int8 and queries.dtype != np.int8:
            raise InputError(
                f"queries are {queries.dtype} and the index holds int8 as it was given", "give int8 queries"
            )
        return _as_taken(queries, self.dtype, self.stored)

    def search(self, query: Vectors, k: int) -> Integers:
        found = self.index.search(query, k, threads=1)
        self.calls.append((found.visited_members, found.computed_distances))
        ids: Integers = found.keys.view(np.int64)
        return ids

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Integers]:
        if len(queries) == 1:  # of which usearch makes a search of another shape
            return [self.search(queries, k)]
        found = self.index.search(queries, k, threads=self.threads)
        self.calls.append((found.visited_members, found.computed_distances))
        return [keys[:count] for keys, count in zip(found.keys.view(np.int64), found.counts, strict=True)]

    def state(self) -> IndexState:
        return IndexState(
            kind=f"HNSW of {self.stored}",
            rows=len(self.index),
            indexed_rows=len(self.index),
            trained=None,
            transform=self._transform(),
            size_bytes=self.index.serialized_length,
            exact_by_design=False,
            path="index",
            exhaustive=False,
        )

    def _transform(self) -> str:
        cast = cast_in_words(self.dtype, STORED[self.stored])
        scaled = ", each vector scaled to a length of 127" if cast and self.stored == "i8" else ""
        return cast + scaled or "none"

    def reset_cost(self) -> None:
        self.calls.clear()

    def cost(self) -> Mapping[str, int]:
        """``visited_members`` of usearch are the nodes whose links were followed: the hops of other engines."""
        calls = list(self.calls)
        return {"distance_computations": sum(own[1] for own in calls), "hops": sum(own[0] for own in calls)}

    def save(self, path: Path) -> None:
        try:
            self.index.save(str(path))
        except (RuntimeError, OSError) as error:
            raise EngineFailed(f"usearch could not write {path}: {error}", "free some space") from None

    def close(self) -> None:
        """Frees the memory; the index cannot be used afterwards."""
        self.index = None


class UsearchEngine(BareEngine):
    """Builds graphs with usearch."""

    name = "usearch"
    extra = "usearch"
    tested_with = "2.26.6"
    capabilities: frozenset[Capability] = frozenset({"build", "save"})
    build_settings = BUILD_SETTINGS
    distances: Mapping[str, str] = {
        "l2": "l2sq, squared",
        "ip": "ip, one minus the product",
        "cosine": "cos, one minus the cosine",
    }

    def version(self) -> str | None:
        return installed("usearch")

    def search_settings(self, build: Settings, *, distance: str, dimensions: int) -> tuple[Setting, ...]:
        self.demand_distance(distance)
        _checked(build)
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
    ) -> UsearchIndex:
        self.demand_distance(distance)
        checked = _checked(settings)
        stored = str(checked["dtype"])
        made: Any = {"ndim": source.dimensions, "metric": WORDS[distance], **checked}
        index = _library().Index(**made)
        for start, block in source.blocks(block_rows(source)):
            rows = _as_taken(block, source.dtype, stored)
            index.add(np.arange(start, start + len(rows), dtype=np.uint64), rows, threads=threads)
        return UsearchIndex(index, source.dtype, stored, threads)

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
    ) -> UsearchIndex:
        stored = str(_checked(settings)["dtype"])
        try:
            index = _library().Index.restore(str(path))
        except (RuntimeError, ValueError) as error:
            raise InputError(f"{path} is no index of usearch: {error}", "build it again") from None
        wanted = f"{source.rows} rows of {source.dimensions} dimensions in {stored}"
        if index is None:
            raise InputError(f"{path} is no index of usearch", "build it again")
        held = f"{len(index)} rows of {index.ndim} dimensions in {index.dtype.name.lower()}"
        if held != wanted:
            raise InputError(f"{path} holds {held}, and {source.name} asks for {wanted}", "build it again")
        return UsearchIndex(index, source.dtype, stored, threads)


def _library() -> Any:
    import faiss  # noqa: F401  # which crashes where it comes later (see _faiss_library.py)

    return imported("usearch.index", package="usearch", extra="usearch")


def _checked(build: Settings) -> dict[str, Value]:
    """All build settings, those that were not given at their defaults. Raises InputError."""
    defaults = {setting.name: setting.default for setting in BUILD_SETTINGS if setting.default is not None}
    checked = {**defaults, **checked_settings(build, BUILD_SETTINGS)}
    checked_choice("dtype", checked["dtype"], STORED)
    return checked


def _as_taken(vectors: Vectors, dtype: np.dtype[Any], stored: str) -> Vectors:
    """The vectors as usearch is given them. What is to be stored as it came is passed as it is; all else as float32,
    for usearch takes whole numbers for parts of 127 where it stores real ones."""
    if stored == "f64":
        return np.ascontiguousarray(vectors, np.float64)
    if stored == "i8" and dtype == np.int8:
        return np.ascontiguousarray(vectors)
    return as_float32(vectors, unit_length=False)


engine = UsearchEngine()
