"""A stand-in for a Qdrant server: the part of its REST interface that the engine uses, over real HTTP.

Every request is read, and every answer written, by the models of qdrant-client, which are made from the server's own
schema. It answers exactly, and "indexes" as it is told: what it proves is that the engine asks rightly and believes
what it is told, not how Qdrant searches.
"""

from __future__ import annotations

import json
import operator
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np
from qdrant_client import models


@dataclass
class StubCollection:
    created: models.CreateCollection
    points: dict[Any, Any] = field(default_factory=dict)
    payloads: dict[Any, Any] = field(default_factory=dict)
    payload_schema: dict[str, Any] = field(default_factory=dict)
    indexed: int | None = None
    status: str = "green"
    segments: int = 1
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def described(self) -> models.CollectionInfo:
        asked = self.created.hnsw_config or models.HnswConfigDiff()
        graph = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10000, **asked.model_dump(exclude_none=True)}
        tuned = self.created.optimizers_config or models.OptimizersConfigDiff()
        optimizer = {"default_segment_number": 0, "flush_interval_sec": 5, **tuned.model_dump(exclude_none=True)}
        return models.CollectionInfo.model_validate(
            {
                "status": self.status,
                "optimizer_status": "ok",
                "indexed_vectors_count": len(self.points) if self.indexed is None else self.indexed,
                "points_count": len(self.points),
                "segments_count": self.segments,
                "config": {
                    "params": {"vectors": self.created.vectors, "sparse_vectors": self.created.sparse_vectors},
                    "hnsw_config": graph,
                    "optimizer_config": optimizer,
                    "wal_config": {"wal_capacity_mb": 32, "wal_segments_ahead": 0},
                    "quantization_config": self.created.quantization_config,
                },
                "payload_schema": self.payload_schema,
                "created_at": self.created_at,
            }
        )

    def vector(self, point: Any, name: str) -> Any:
        stored = self.points[point]
        return stored.get(name) if isinstance(stored, dict) else stored

    def nearest(self, request: models.QueryRequest) -> list[dict[str, Any]]:
        vectors = self.created.vectors
        name = request.using or ""
        distance = (vectors[name] if isinstance(vectors, dict) else vectors).distance.value  # type: ignore[union-attr]
        having = [point for point in _having(self, request.filter) if self.vector(point, name) is not None]
        asked = request.query
        if not having:
            return []
        x = np.array([self.vector(point, name) for point in having], np.float64)
        q = np.array(asked.nearest if isinstance(asked, models.NearestQuery) else asked, np.float64)
        if distance == "Euclid":
            values = np.linalg.norm(x - q, axis=1)
        elif distance == "Manhattan":
            values = np.abs(x - q).sum(1)
        else:
            values = -(x @ q) / (np.linalg.norm(x, axis=1) if distance == "Cosine" else 1.0)
        best = np.argsort(values, kind="stable")[: request.limit]
        return [{"id": having[i], "version": 0, "score": abs(float(values[i]))} for i in best]


@dataclass
class Stub:
    """``asked``: method, path and body of every request so far. ``refusing``: the status with which all is refused."""

    url: str
    collections: dict[str, StubCollection] = field(default_factory=dict)
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    keys: set[str | None] = field(default_factory=set)
    refusing: int | None = None

    def add(self, name: str, ids: Any, rows: Any, **created: Any) -> StubCollection:
        made = StubCollection(models.CreateCollection.model_validate(created))
        made.points = dict(zip(ids, rows, strict=True))
        self.collections[name] = made
        return made

    def bodies(self, ending: str) -> list[Any]:
        return [body for _, path, body in self.asked if path.endswith(ending)]

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        if path == "/":
            return 200, {"title": "qdrant - vector search engine", "version": "1.17.0-stub"}
        parts = [unquote(part) for part in path.strip("/").split("/")][1:]
        name, action = parts[0], "/".join(parts[1:])
        if action == "exists":
            return 200, {"exists": name in self.collections}
        if method == "PUT" and not action:
            self.collections[name] = StubCollection(models.CreateCollection.model_validate(body))
            return 200, True
        if name not in self.collections:
            return 404, f"Not found: Collection `{name}` doesn't exist!"
        collection = self.collections[name]
        if not action:
            if method == "DELETE":
                del self.collections[name]
                return 200, True
            return 200, collection.described()
        return 200, self._of_points(collection, method, action, body)

    def _of_points(self, collection: StubCollection, method: str, action: str, body: Any) -> Any:
        if action == "points/query":
            return {"points": collection.nearest(models.QueryRequest.model_validate(body))}
        if action == "points/query/batch":
            batch = models.QueryRequestBatch.model_validate(body)
            return [{"points": collection.nearest(request)} for request in batch.searches]
        if action == "points/count":
            wanted = models.CountRequest.model_validate(body)
            return {"count": len(_having(collection, wanted.filter))}
        if action == "points/scroll":
            scroll = models.ScrollRequest.model_validate(body)
            order = sorted(_having(collection, scroll.filter), key=lambda point: (isinstance(point, str), point))
            first = 0 if scroll.offset is None else order.index(scroll.offset)
            limit = min(scroll.limit or 10, 70)  # a server may give fewer than were asked for
            following = order[first + limit] if first + limit < len(order) else None
            return {"points": [{"id": point} for point in order[first : first + limit]], "next_page_offset": following}
        if action == "points/delete":
            for point in models.PointIdsList.model_validate(body).points:
                collection.points.pop(point, None)
        elif action == "index":
            asked = models.CreateFieldIndex.model_validate(body)
            collection.payload_schema[asked.field_name] = {"data_type": asked.field_schema, "points": 0}
        elif action == "points/vectors":
            changed = models.UpdateVectors.model_validate(body).points
            collection.points.update({own.id: own.vector for own in changed})
        elif method == "PUT":
            batch_of = models.PointsBatch.model_validate(body).batch
            collection.points.update(zip(batch_of.ids, batch_of.vectors, strict=True))
            collection.payloads.update(zip(batch_of.ids, batch_of.payloads or [{}] * len(batch_of.ids), strict=True))
        else:
            wanted_points = models.PointRequest.model_validate(body)
            found = [point for point in wanted_points.ids if point in collection.points]
            asked_for = wanted_points.with_payload
            names = [str(path).strip('"') for path in asked_for] if isinstance(asked_for, list) else []
            return [
                {"id": point, "vector": collection.points[point], "payload": _carried(collection, point, names)}
                for point in reversed(found)
            ]
        return {"operation_id": 0, "status": "completed"}


def _carried(collection: StubCollection, point: Any, names: list[str]) -> dict[str, Any]:
    own = collection.payloads.get(point) or {}
    return {name: own[name] for name in names if name in own}


def _having(collection: StubCollection, kept: models.Filter | None) -> list[Any]:
    return [point for point in collection.points if kept is None or _passes(collection, point, kept)]


def _passes(collection: StubCollection, point: Any, own: Any) -> bool:
    """Whether a point passes a filter or a condition, as Qdrant's documentation has it."""
    if isinstance(own, models.Filter):
        told = {name: [_passes(collection, point, part) for part in getattr(own, name) or ()] for name in CLAUSES}
        return all(told["must"]) and not any(told["must_not"]) and (not own.should or any(told["should"]))
    if isinstance(own, models.HasVectorCondition):
        return collection.vector(point, own.has_vector) is not None
    key = own.is_empty.key if isinstance(own, models.IsEmptyCondition) else own.key
    value = (collection.payloads.get(point) or {}).get(key.strip('"'))
    if isinstance(own, models.IsEmptyCondition):
        return value is None
    if own.match is not None:
        return type(value) is type(own.match.value) and value == own.match.value
    bounds = own.range.model_dump(exclude_none=True)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return all(getattr(operator, CALLED[name])(float(value), bound) for name, bound in bounds.items())


CLAUSES = ("must", "must_not", "should")
CALLED = {"lt": "lt", "lte": "le", "gt": "gt", "gte": "ge"}


@contextmanager
def running_stub() -> Iterator[Stub]:
    stub = Stub("")

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            path = urlsplit(self.path).path
            stub.asked.append((self.command, path, body))
            stub.keys.add(self.headers.get("api-key"))
            status, said = (stub.refusing, "no") if stub.refusing else stub.answer(self.command, path, body)
            if status == 200:
                plain = said.model_dump(mode="json") if isinstance(said, models.CollectionInfo) else said
                answer = plain if path == "/" else {"time": 0.0, "status": "ok", "result": plain}
            else:
                answer = {"time": 0.0, "status": {"error": said}}
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_PUT = do_POST = do_DELETE = _answer  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is written."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
