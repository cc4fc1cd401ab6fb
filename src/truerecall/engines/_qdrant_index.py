"""An index on a Qdrant server: what can be asked of it, and what it says of itself."""

from __future__ import annotations

import json
from collections.abc import Collection as Names
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from truerecall.engines._base import BareIndex
from truerecall.engines._casts import FLOAT32, narrowed
from truerecall.engines._qdrant_collection import Collection
from truerecall.engines._qdrant_filter import conditions, demand_columns
from truerecall.engines._qdrant_ids import plain_id
from truerecall.engines._qdrant_search import by_vectors, told_search
from truerecall.engines._qdrant_server import TIMEOUT_S, asking, qdrant, server_in_words
from truerecall.engines._qdrant_told import Told, told
from truerecall.engines._qdrant_words import search_settings, transform
from truerecall.model.arrays import Vectors
from truerecall.model.engine import Answer, IndexState, Settings
from truerecall.model.filter import Filter


@dataclass(eq=False)
class ServerIndex(BareIndex):
    """A collection, seen through one vector. ``attached``: it belongs to somebody else. ``dtype``: the element type of
    the vectors that it was given, None where nobody knows. One that was built and not saved is dropped on closing."""

    collection: Collection
    distance: str
    dtype: np.dtype[Any] | None = None
    attached: bool = False
    kept: bool = False
    asked: Any = None
    narrowed_to: Any = None
    columns: Names[str] | None = None
    changed: bool = field(default=False, init=False)
    engine = "qdrant"

    def __post_init__(self) -> None:
        self.answers: Literal["rows", "ids"] = "ids" if self.attached else "rows"
        found = self._told()
        self.dimensions = found.size
        self.searchable = search_settings(int(found.graph["ef_construct"]), found.quantization)
        self.server = server_in_words(self.collection.client)
        self.configure({})

    def configure(self, settings: Settings) -> Settings:
        self.asked, held = told_search(qdrant.models, settings, self.searchable)
        return held

    def restrict(self, where: Filter | None) -> None:
        demand_columns(where, self.columns, self._passing)
        self.narrowed_to = None if where is None else _in_its_classes(where)

    def prepare(self, queries: Vectors) -> Vectors:
        return narrowed(queries, FLOAT32)

    def search(self, query: Vectors, k: int) -> Answer:
        return self._answered(query[0], k, self.asked)

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Answer]:
        using = self.collection.vector or None
        requests = [
            qdrant.models.QueryRequest(
                query=query.tolist(),
                using=using,
                params=self.asked,
                limit=k,
                filter=self.narrowed_to,
                with_payload=False,
                with_vector=False,
            )
            for query in queries
        ]
        with asking(self.collection.client):
            found = self.collection.client.query_batch_points(self.collection.name, requests, timeout=TIMEOUT_S)
        return [self._ids(answer.points) for answer in found]

    def exact(self, query: Vectors, k: int) -> Answer:
        return self._answered(query[0], k, qdrant.models.SearchParams(exact=True))

    def state(self) -> IndexState:
        """``indexed_rows`` is unknown where points have several vectors, for the server counts all of them together,
        and where rows have changed, for it goes on counting those that are gone."""
        found, rows = self._told(), self.collection.count()
        indexed = found.indexed if found.alone and not self.changed else None
        path = found.path() if found.alone else None
        if path == "index" and self.narrowed_to is not None:
            path = None  # where few points pass, Qdrant compares these, and does not say so
        full = found.datatype == "float32" and (found.quantization == "none" or by_vectors(self.asked))
        return IndexState(
            kind=_kind(found),
            rows=rows,
            indexed_rows=None if indexed is None or indexed > rows else indexed,
            trained=None,
            transform=transform(found.datatype, self.dtype, self.distance),
            size_bytes=None,
            exact_by_design=False,
            path=path,
            told=_words(found),
            exhaustive=None if path is None else path == "full scan" and full and not self.asked.indexed_only,
        )

    def vectors_scanned(self, k: int) -> int | None:
        found = self._told()
        scanned = (
            self.narrowed_to is None and found.alone and found.path() == "full scan" and not self.asked.indexed_only
        )
        return self.collection.count() if scanned else None

    def _passing(self, where: Filter) -> int:
        with asking(self.collection.client):
            found = self.collection.client.count(self.collection.name, _in_its_classes(where), exact=True)
            return int(found.count)

    def delete(self, rows: Answer) -> None:
        self._refuse_attached("delete")
        with asking(self.collection.client):
            self.collection.client.delete(self.collection.name, [int(row) for row in rows], wait=True)
        self.changed = True

    def update(self, rows: Answer, vectors: Vectors) -> None:
        self._refuse_attached("update")
        self.collection.change([int(row) for row in rows], vectors)
        self.changed = True

    def save(self, path: Path) -> None:
        """The name of the collection, which stays on the server."""
        self._refuse_attached("save")
        path.write_text(json.dumps({"engine": self.engine, "collection": self.collection.name}))
        self.kept = True

    def close(self) -> None:
        client, self.collection = self.collection.client, Collection(None, self.collection.name)
        if client is None:
            return
        try:
            if not self.attached and not self.kept:
                with asking(client):
                    client.delete_collection(self.collection.name)
        finally:
            client.close()

    def _told(self) -> Told:
        return told(self.collection.said(), self.collection.vector)

    def _answered(self, query: Vectors, k: int, params: Any) -> Answer:
        with asking(self.collection.client):
            found = self.collection.client.query_points(
                self.collection.name,
                query=query.tolist(),
                using=self.collection.vector or None,
                search_params=params,
                query_filter=self.narrowed_to,
                limit=k,
                with_payload=False,
                with_vectors=False,
                timeout=TIMEOUT_S,
            )
        return self._ids(found.points)

    def _ids(self, points: Sequence[Any]) -> Answer:
        if self.answers == "rows":
            return np.fromiter((point.id for point in points), np.int64, len(points))
        return [plain_id(point.id) for point in points]

    def _refuse_attached(self, capability: Literal["delete", "update", "save"]) -> None:
        if self.attached:
            self._cannot(capability)


def _kind(found: Told) -> str:
    graph = "plain" if found.indexed == 0 else "HNSW"
    return graph if found.quantization == "none" else f"{graph}, {found.quantization}"


def _words(found: Told) -> str:
    graph = " ".join(f"{name}={value}" for name, value in sorted(found.graph.items()))
    counts = f"points_count {found.points}, indexed_vectors_count {found.indexed}, segments_count {found.segments}"
    return f"status {found.status}; {counts}; {graph}; indexing_threshold={found.indexing_threshold}"


def _in_its_classes(where: Filter) -> Any:
    return qdrant.models.Filter.model_validate(conditions(where))
