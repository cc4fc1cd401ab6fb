"""An index of Qdrant Edge: what can be asked of it, and what it says of itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from typing import Any, Literal

import numpy as np

from truerecall.engines._base import BareIndex
from truerecall.engines._casts import FLOAT32, narrowed
from truerecall.engines._folders import pack, size_on_disk
from truerecall.engines._qdrant_edge_filter import edge_filter
from truerecall.engines._qdrant_edge_library import edge
from truerecall.engines._qdrant_files import Segment, segments
from truerecall.engines._qdrant_filter import demand_columns
from truerecall.engines._qdrant_ids import plain_id
from truerecall.engines._qdrant_search import by_vectors, told_search
from truerecall.engines._qdrant_words import search_settings, transform
from truerecall.model.arrays import Vectors
from truerecall.model.engine import Answer, IndexState, SearchPath, Settings
from truerecall.model.filter import Filter


@dataclass(eq=False)
class EdgeIndex(BareIndex):
    """A shard that is open in its folder. ``attached``: it is a copy of somebody else's, and goes with this. ``dtype``:
    the element type of the vectors that it was given, None where nobody knows."""

    shard: Any
    folder: Path
    distance: str
    vector: str = ""
    dtype: np.dtype[Any] | None = None
    attached: bool = False
    asked: Any = None
    narrowed_to: Any = None
    columns: Collection[str] | None = None
    changed: bool = field(default=False, init=False)
    engine = "qdrant_edge"

    def __post_init__(self) -> None:
        self.answers: Literal["rows", "ids"] = "ids" if self.attached else "rows"
        said = self._segments
        self.dimensions = int(said[0].vector["size"])
        efs = [int(segment.options["ef_construct"]) for segment in said if segment.options]
        self.searchable = search_settings(max(efs, default=100), _quantization(said))
        self.configure({})

    def configure(self, settings: Settings) -> Settings:
        self.asked, held = told_search(edge, settings, self.searchable)
        return held

    def restrict(self, where: Filter | None) -> None:
        demand_columns(where, self.columns, self._passing)
        self.narrowed_to = edge_filter(where)

    def prepare(self, queries: Vectors) -> Vectors:
        return narrowed(queries, FLOAT32)

    def search(self, query: Vectors, k: int) -> Answer:
        return self._ids(self.shard.query(self._request(query[0], k, self.asked)))

    def search_batch(self, queries: Vectors, k: int) -> Sequence[Answer]:
        requests = [self._request(query, k, self.asked) for query in queries]
        return [self._ids(found) for found in self.shard.query_batch(edge.QueryBatchRequest(requests))]

    def exact(self, query: Vectors, k: int) -> Answer:
        return self._ids(self.shard.query(self._request(query[0], k, edge.SearchParams(exact=True))))

    def state(self) -> IndexState:
        """``indexed_rows`` counts what the graphs were made of. Qdrant goes on counting rows that were deleted since:
        where rows have changed, or where there are more of them than points, nobody knows."""
        said, counts = self._segments, self.shard.info()
        rows = self._rows()
        indexed = sum(segment.indexed or 0 for segment in said)
        used = [segment for segment in said if segment.uses_graph]
        path: SearchPath | None = "index" if used else "full scan"
        if used and self.narrowed_to is not None:
            path = None  # where few points pass, Qdrant compares these, and does not say so
        plain = _quantization(said) == "none" or by_vectors(self.asked)
        return IndexState(
            kind=_kind(said),
            rows=rows,
            indexed_rows=None if self.changed or indexed > rows else indexed,
            trained=None,
            transform=transform(said[0].datatype, self.dtype, self.distance),
            size_bytes=size_on_disk(self.folder),
            exact_by_design=False,
            path=path,
            told=(
                f"points_count {counts.points_count}, indexed_vectors_count {counts.indexed_vectors_count}; "
                + "; ".join(_told(segment) for segment in said)
            ),
            exhaustive=None
            if path is None
            else path == "full scan" and plain and said[0].datatype == "float32" and not self.asked.indexed_only,
        )

    def vectors_scanned(self, k: int) -> int | None:
        if self.narrowed_to is not None:
            return None
        scanned = not any(segment.uses_graph for segment in self._segments) and not self.asked.indexed_only
        return self._rows() if scanned else None

    def delete(self, rows: Answer) -> None:
        self._refuse_attached("delete")
        self.shard.update(edge.UpdateOperation.delete_points([int(row) for row in rows]))
        self.changed = True

    def update(self, rows: Answer, vectors: Vectors) -> None:
        self._refuse_attached("update")
        values = narrowed(vectors, FLOAT32).tolist()
        points = [edge.PointVectors(int(row), value) for row, value in zip(rows, values, strict=True)]
        self.shard.update(edge.UpdateOperation.update_vectors(points))
        self.changed = True

    def save(self, path: Path) -> None:
        self._refuse_attached("save")
        self.shard.flush()
        pack(self.folder, path)

    def close(self) -> None:
        if self.shard is not None:
            self.shard.close()
            self.shard = None
        if self.attached:
            rmtree(self.folder, ignore_errors=True)

    @property
    def _segments(self) -> list[Segment]:
        return segments(self.folder, self.vector)

    def _passing(self, where: Filter) -> int:
        return int(self.shard.count(edge.CountRequest(filter=edge_filter(where), exact=True)))

    def _rows(self) -> int:
        having = edge.Filter(must=[edge.HasVectorCondition(self.vector)])
        return int(self.shard.count(edge.CountRequest(filter=having, exact=True)))

    def _request(self, query: Vectors, k: int, params: Any) -> Any:
        nearest = edge.Query.Nearest(query.tolist(), using=self.vector or None)
        return edge.QueryRequest(limit=k, query=nearest, params=params, filter=self.narrowed_to)

    def _ids(self, found: Any) -> Answer:
        if self.answers == "rows":
            return np.fromiter((point.id for point in found), np.int64, len(found))
        return [plain_id(point.id) for point in found]

    def _refuse_attached(self, capability: Literal["delete", "update", "save"]) -> None:
        if self.attached:
            self._cannot(capability)


def _kind(said: list[Segment]) -> str:
    graph = "HNSW" if any(segment.options for segment in said) else "plain"
    codes = _quantization(said)
    return graph if codes == "none" else f"{graph}, {codes}"


def _quantization(said: list[Segment]) -> str:
    """Of the segments that have one: those that take new points may have none."""
    return next((segment.quantization for segment in said if segment.quantization != "none"), "none")


def _told(segment: Segment) -> str:
    if segment.indexed is None:
        return "a segment without a graph"
    graph = " ".join(f"{name}={value}" for name, value in segment.options.items())
    return f"a segment with a graph over {segment.indexed} vectors ({graph}), scanned below {segment.scans_below}"
