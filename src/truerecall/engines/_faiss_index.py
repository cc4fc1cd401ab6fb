"""A filled FAISS index: what can be asked of it, what it says of itself, what it spends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.engines._attribute_tables import kept_rows
from truerecall.engines._base import BareIndex
from truerecall.engines._casts import as_float32, cast_in_words
from truerecall.engines._faiss_layers import FLAT_CLASSES, POLYSEMOUS, is_exact, kind, layers, parts, search_knobs
from truerecall.engines._faiss_library import faiss
from truerecall.engines._faiss_narrowing import narrowed, selector
from truerecall.engines._faiss_path import exhaustive, path, told, vectors_scanned
from truerecall.errors import EngineFailed
from truerecall.model.arrays import Integers, Vectors
from truerecall.model.attributes import Attributes
from truerecall.model.engine import IndexState, Setting, Settings
from truerecall.model.filter import Filter
from truerecall.model.settings import checked_settings


@dataclass(eq=False)
class FaissIndex(BareIndex):
    """A FAISS index, filled. ``searchable`` are its search settings with FAISS's own defaults.

    ``threads``: what OpenMP may use for a batch. BLAS, by which flat vectors are compared with twenty queries or more,
    keeps the limit that the caller has set; so does a single search.
    """

    index: Any
    distance: str
    dtype: np.dtype[Any]
    polysemous: bool
    searchable: tuple[Setting, ...]
    threads: int
    attributes: Attributes | None = None
    chosen: Any = field(default=None, init=False)
    params: Any = field(default=None, init=False)
    size_bytes: int | None = field(default=None, init=False)
    engine = "faiss"

    def configure(self, settings: Settings) -> Settings:
        """What is not given goes back to its default, so that no setting of an earlier call lingers."""
        asked = checked_settings(settings, self.searchable)
        wanted = {setting.name: setting.default for setting in self.searchable if setting.default is not None} | asked
        knobs = search_knobs(self.index, polysemous=self.polysemous)
        held = {knob.setting.name: knob.turn(wanted[knob.setting.name]) for knob in knobs}
        self._narrow()
        return held

    def restrict(self, where: Filter | None) -> None:
        kept = kept_rows(where, self.attributes)
        self.chosen = None if kept is None else selector(kept)
        self._narrow()

    def _narrow(self) -> None:
        """The parameters of searches, which carry what is set on the index."""
        self.params = None if self.chosen is None else narrowed(self.index, self.chosen)

    def prepare(self, queries: Vectors) -> Vectors:
        return as_float32(queries, unit_length=self.distance == "cosine")

    def search(self, query: Vectors, k: int) -> Integers:
        ids: Integers = self.index.search(query, k, params=self.params)[1][0]
        return ids if len(ids) == 0 or ids[-1] >= 0 else ids[ids >= 0]  # FAISS pads a short answer with -1

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Integers]:
        before = faiss.omp_get_max_threads()
        faiss.omp_set_num_threads(self.threads)
        try:
            found = self.index.search(queries, k, params=self.params)[1]
        finally:
            faiss.omp_set_num_threads(before)
        return [ids if len(ids) == 0 or ids[-1] >= 0 else ids[ids >= 0] for ids in found]

    def state(self) -> IndexState:
        codes = any(hasattr(part, POLYSEMOUS) for part in parts(self.index))
        untrained = " without polysemous training" if codes and not self.polysemous else ""
        lossless = np.can_cast(self.dtype, np.float32)  # else digits were lost, whatever the index
        return IndexState(
            kind=kind(self.index) + untrained,
            rows=self.index.ntotal,
            indexed_rows=self.index.ntotal,
            trained=bool(self.index.is_trained),
            transform=_transform(self.dtype, self.distance),
            size_bytes=self._size_bytes(),
            exact_by_design=is_exact(self.index) and lossless,
            path=path(self.index),
            told=told(self.index),
            exhaustive=exhaustive(self.index) and lossless,
        )

    def reset_cost(self) -> None:
        faiss.cvar.hnsw_stats.reset()
        faiss.cvar.indexIVF_stats.reset()

    def cost(self) -> Mapping[str, int]:
        """What FAISS counts, for all indexes in the process together, since ``reset_cost``.

        A graph: every distance computed in it, the descent through its upper levels included, and the nodes expanded.
        An inverted file: the lists visited (true of queries asked one by one; a fast-scan index asked in batches
        counts fewer), and the distances to the vectors or codes in them together with those to the centroids, which
        are told apart as well: a graph as coarse quantiser counts them, a flat one compares every query with every
        centroid. Re-ranking is not counted. Flat and plain product-quantised indexes count nothing.
        """
        graph, lists = faiss.cvar.hnsw_stats, faiss.cvar.indexIVF_stats
        core = layers(self.index)[-1]
        if isinstance(core, faiss.IndexHNSW):
            return {"distance_computations": graph.ndis, "hops": graph.nhops}
        if not isinstance(core, faiss.IndexIVF):
            return {}
        coarse = layers(core.quantizer)[-1]
        if isinstance(coarse, faiss.IndexHNSW):
            centroids = graph.ndis
        elif type(coarse) in FLAT_CLASSES:
            centroids = lists.nq * core.nlist
        else:
            return {"lists_visited": lists.nlist}
        return {
            "distance_computations": lists.ndis + centroids,
            "coarse_distance_computations": centroids,
            "lists_visited": lists.nlist,
        }

    def vectors_scanned(self, k: int) -> int | None:
        return vectors_scanned(self.index, k) if self.chosen is None else None

    def save(self, path: Path) -> None:
        try:
            faiss.write_index(self.index, str(path))
        except RuntimeError as error:
            raise EngineFailed(f"FAISS could not write {path}: {reason(error)}", "free some space") from None

    def close(self) -> None:
        """Frees the memory; the index cannot be used afterwards."""
        self.params = self.chosen = self.index = None

    def _size_bytes(self) -> int:
        """The length of the index as FAISS would write it, counted without keeping it."""
        if self.size_bytes is None:
            lengths: list[int] = []
            faiss.write_index(self.index, faiss.PyCallbackIOWriter(lambda piece: lengths.append(len(piece))))
            self.size_bytes = sum(lengths)
        return self.size_bytes


def reason(error: Exception) -> str:
    """FAISS's own words without the C++ function, file and condition that they come with."""
    text = re.sub(r"^Error in .*? at \S+:\d+: ", "", " ".join(str(error).split()))
    condition = re.match(r"Error: '(.*?)' failed:? ?(.*)", text)
    if condition is None:
        return text.rstrip(". ")
    return condition[2].rstrip(". ") or f"it demands {condition[1]}"


def _transform(dtype: np.dtype[Any], distance: str) -> str:
    unit = "normalised, inner product" if distance == "cosine" else ""
    return ", ".join(filter(None, (cast_in_words(dtype), unit))) or "none"
