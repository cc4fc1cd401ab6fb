"""A ScaNN searcher that is filled: what can be asked of it, and what it says of itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from truerecall.engines._base import BareIndex
from truerecall.engines._casts import as_float32, block_rows, cast_in_words
from truerecall.engines._folders import pack
from truerecall.engines._scann_config import configuration, described, searchable, searcher
from truerecall.model.arrays import Integers, Vectors
from truerecall.model.engine import IndexState, SearchPath, Settings
from truerecall.model.settings import checked_settings
from truerecall.model.source import CorpusSource

UNTOLD = -1  # ScaNN's word for a setting that a call leaves to the searcher
SHAPE = "truerecall.json"
FLAT: Settings = {"num_leaves": 0, "dimensions_per_block": 0}


@dataclass(eq=False)
class ScannIndex(BareIndex):
    """``build``: all build settings. ``threads``: for a batch. Search settings go with each call: ScaNN keeps none, so
    none can be read back. The searcher's own configuration is what was compared after it was built."""

    searcher: Any
    source: CorpusSource
    distance: str
    build: Mapping[str, Any]
    threads: int
    settings: dict[str, Any] = field(default_factory=dict)
    size_bytes: int | None = None
    engine = "scann"
    _flat: Any = None

    def __post_init__(self) -> None:
        self.searchable = searchable(self.build)

    def configure(self, settings: Settings) -> Settings:
        known = self.searchable
        self.settings = {setting.name: setting.default for setting in known} | checked_settings(settings, known)
        return dict(self.settings)

    def prepare(self, queries: Vectors) -> Vectors:
        return as_float32(queries, unit_length=self.distance == "cosine")

    def search(self, query: Vectors, k: int) -> Integers:
        return self.searcher.search(query[0], k, *self._effort())[0].astype(np.int64)  # type: ignore[no-any-return]

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Integers]:
        """ScaNN fills short answers up with row 0 at the distance NaN; both are taken off.

        For a batch it chooses partitions by other arithmetic than for a single query, and not as well: where few are
        searched the answers differ.
        """
        self.searcher.set_num_threads(self.threads)
        ids, distances = self.searcher.search_batched_parallel(queries, k, *self._effort())
        return [row[~np.isnan(far)].astype(np.int64) for row, far in zip(ids, distances, strict=True)]

    def exact(self, query: Vectors, k: int) -> Integers:
        """By a brute-force searcher over the same rows, which is made when first asked."""
        if self._flat is None:
            rows = filled(self.source, self.distance)
            self._flat = searcher(rows, configuration(rows, self.distance, described(FLAT), 0), 1)
        return self._flat.search(query[0], k)[0].astype(np.int64)  # type: ignore[no-any-return]

    def state(self) -> IndexState:
        leaves, codes = self.build["num_leaves"], self.build["dimensions_per_block"]
        in_full = np.can_cast(self.source.dtype, np.float32) and self.distance != "cosine"
        flat = not leaves and not codes
        path: SearchPath = "full scan" if flat else "index"
        unit = "normalised, dot product" if self.distance == "cosine" else ""
        return IndexState(
            kind=", ".join(self._parts()),
            rows=self.searcher.size(),
            indexed_rows=self.searcher.size(),
            trained=True,
            transform=", ".join(filter(None, (cast_in_words(self.source.dtype), unit))) or "none",
            size_bytes=self.size_bytes,
            exact_by_design=flat and in_full,
            path=path,
            told=f"config() tells of {', '.join(self._parts())}",
            exhaustive=self._every_row() and in_full,
        )

    def vectors_scanned(self, k: int) -> int | None:
        return None if self.build["num_leaves"] else self.searcher.size()

    def save(self, path: Path) -> None:
        """A tar of the folder that ScaNN writes, and of the shape of what is in it."""
        with TemporaryDirectory(dir=path.parent) as name:
            self.searcher.serialize(name, True)
            shape = {"rows": self.searcher.size(), "dimensions": self.source.dimensions, "distance": self.distance}
            (Path(name) / SHAPE).write_text(json.dumps(shape))
            pack(Path(name), path)
        self.size_bytes = path.stat().st_size

    def close(self) -> None:
        """Frees the memory; the index cannot be used afterwards."""
        self.searcher = self._flat = None

    def _effort(self) -> tuple[int, int]:
        return self.settings.get("pre_reorder_num_neighbors", UNTOLD), self.settings.get("leaves_to_search", UNTOLD)

    def _parts(self) -> list[str]:
        """The stages of a search, in ScaNN's words, as its own configuration has them."""
        config = parsed_config(self.searcher)
        return [part for part in ("partitioning", "brute_force", "hash", "exact_reordering") if config.HasField(part)]

    def _every_row(self) -> bool:
        """Whether every row is compared as the float32 vector that it is."""
        if self.build["num_leaves"] and self.settings.get("leaves_to_search") != self.build["num_leaves"]:
            return False
        if not self.build["dimensions_per_block"]:
            return True
        reordered: int = self.settings.get("pre_reorder_num_neighbors", 0)
        return bool(self.build["reorder"] == "float32" and reordered >= self.searcher.size())


def filled(source: CorpusSource, distance: str) -> Vectors:
    """All rows as one array, as ScaNN wants them."""
    rows = np.empty((source.rows, source.dimensions), np.float32)
    for start, block in source.blocks(block_rows(source)):
        rows[start : start + len(block)] = as_float32(block, unit_length=distance == "cosine")
    return rows


def parsed_config(searcher: Any) -> Any:
    """The configuration that a searcher says it has."""
    from google.protobuf import text_format
    from scann.proto import scann_pb2

    return text_format.Parse(searcher.config(), scann_pb2.ScannConfig())
