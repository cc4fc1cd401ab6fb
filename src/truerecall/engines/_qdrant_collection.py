"""A collection on a Qdrant server, seen through one vector of its points: made, filled, counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Event
from typing import Any
from uuid import uuid4

from truerecall.engines._casts import FLOAT32, narrowed
from truerecall.engines._qdrant_filter import path, payloads
from truerecall.engines._qdrant_server import asking, qdrant
from truerecall.engines._qdrant_told import Told, told, vectors_of
from truerecall.engines._qdrant_words import OWN_NAME, OWN_NAMES
from truerecall.errors import EngineFailed, InputError
from truerecall.model.arrays import Vectors
from truerecall.model.attributes import Attributes, Column
from truerecall.model.engine import Settings
from truerecall.model.source import CorpusSource

POINTS_AT_ONCE = 500
INDEXED_AS = {"integers": "integer", "floats": "float", "booleans": "bool", "texts": "keyword"}
PAUSE_S, PATIENT_LOOKS, LOOKS = 0.2, 50, 5 * 3600
DEFAULT_OPTIONS = {"none": {}, "scalar": {"type": "int8"}}
OPTION_OF = {"product": "compression", "binary": "encoding", "turbo": "bits"}


@dataclass(frozen=True, eq=False)
class Collection:
    """``vector`` is ``""`` where points have one without a name."""

    client: Any
    name: str
    vector: str = ""

    def said(self) -> Any:
        """What the server says of the collection. Raises InputError where there is none."""
        with asking(self.client):
            if not self.client.collection_exists(self.name):
                raise InputError(f"Qdrant has no collection {self.name}", "name one that it has")
            return self.client.get_collection(self.name)

    def count(self) -> int:
        """The points that have the vector, counted and not estimated."""
        having = qdrant.models.Filter(must=[qdrant.models.HasVectorCondition(has_vector=self.vector)])
        with asking(self.client):
            return int(self.client.count(self.name, having if self.vector else None, exact=True).count)

    def upsert(self, ids: list[int], vectors: Vectors, carried: Iterable[Any] | None = None) -> None:
        """``carried``: the payload of each point, or None."""
        rows, own = narrowed(vectors, FLOAT32).tolist(), None if carried is None else list(carried)
        with asking(self.client):
            self.client.upsert(self.name, qdrant.models.Batch(ids=ids, vectors=rows, payloads=own), wait=True)

    def change(self, ids: list[int], vectors: Vectors) -> None:
        """Give points other vectors; what they carry stays."""
        rows = narrowed(vectors, FLOAT32).tolist()
        points = [qdrant.models.PointVectors(id=id_, vector=row) for id_, row in zip(ids, rows, strict=True)]
        with asking(self.client):
            self.client.update_vectors(self.name, points, wait=True)

    def index_payload(self, columns: Mapping[str, Column]) -> None:
        """Index the columns, each by its kind."""
        with asking(self.client):
            for name, column in columns.items():
                self.client.create_payload_index(self.name, path(name), INDEXED_AS[column.kind], wait=True)


def demand(collection: Collection, distance: str) -> Told:
    """What is told of it. Raises InputError for a vector that is not there, several in one, or another distance."""
    said = collection.said()
    names = vectors_of(said)
    if collection.vector not in names:
        shown = ", ".join(repr(name) for name in sorted(names)) or "none"
        raise InputError(
            f"{collection.name} has no vector {collection.vector!r}", f"name one as ?vector=NAME; it has: {shown}"
        )
    found = told(said, collection.vector)
    if found.multiple:
        raise InputError(f"{collection.name} has several vectors in each point", "name a vector of which it has one")
    if found.distance != OWN_NAMES.get(distance, found.distance):
        problem = f"{collection.name} compares vectors by {found.distance} and not by {distance}"
        raise InputError(problem, "give the distance that it has")
    return found


def made(
    client: Any,
    source: CorpusSource,
    distance: str,
    settings: Settings,
    threads: int,
    attributes: Attributes | None = None,
) -> Collection:
    """A new collection with all rows in it, each under its number, once the server has made its graphs.

    Raises EngineFailed where it took over other settings than it was given, or does not come to rest.
    """
    collection = Collection(client, f"{OWN_NAME}{uuid4().hex}")
    models = qdrant.models
    graph = {name: settings[name] for name in ("m", "ef_construct", "full_scan_threshold")}
    kind, _, option = str(settings["quantization"]).partition("/")
    options = DEFAULT_OPTIONS.get(kind) or {OPTION_OF.get(kind, ""): option}
    vectors = {"size": source.dimensions, "distance": OWN_NAMES[distance], "datatype": settings["datatype"]}
    wanted = models.CreateCollection.model_validate(
        {
            "vectors": vectors,
            "hnsw_config": {**graph, "max_indexing_threads": threads},
            "optimizers_config": {"default_segment_number": 1, "indexing_threshold": settings["indexing_threshold"]},
            "quantization_config": None if kind == "none" else {kind: options},
        }
    )
    with asking(client):
        client.create_collection(
            collection.name,
            vectors_config=wanted.vectors,
            hnsw_config=wanted.hnsw_config,
            optimizers_config=wanted.optimizers_config,
            quantization_config=wanted.quantization_config,
        )
    columns = {} if attributes is None else attributes.columns
    indexed = columns if settings["payload_index"] == "yes" else {}
    collection.index_payload(indexed)
    for start, block in source.blocks(POINTS_AT_ONCE):
        stop = start + len(block)
        collection.upsert(list(range(start, stop)), block, payloads(columns, start, stop) if columns else None)
    at_rest(collection, int(settings["indexing_threshold"]))
    said = collection.said()
    held, with_index = told(said, ""), bool(indexed) and {path(name) for name in indexed} <= set(said.payload_schema)
    in_force = {
        **held.graph,
        "quantization": held.quantization,
        "datatype": held.datatype,
        "indexing_threshold": held.indexing_threshold,
        "payload_index": "yes" if with_index else "no" if indexed else settings["payload_index"],
    }
    for name, value in settings.items():
        if in_force[name] != value:
            raise EngineFailed(
                f"{name} is {in_force[name]} on the server and {value} was asked for", "set another value"
            )
    return collection


def at_rest(collection: Collection, indexing_threshold: int) -> None:
    """Wait until the server is done with its graphs. Raises EngineFailed where it fails, or never is.

    It may say that it is before it has begun, so that for a while graphs are waited for where there should be some.
    """
    for look in range(LOOKS):
        said = collection.said()
        found = told(said, collection.vector)
        if said.status.value == "red":
            raise EngineFailed(f"Qdrant could not index: {found.status}", "see the server's log")
        expected = found.points_kilobytes >= indexing_threshold and not found.indexed
        if said.status.value != "yellow" and (not expected or look >= PATIENT_LOOKS):
            return
        Event().wait(PAUSE_S)
    raise EngineFailed(f"Qdrant is not done after {LOOKS} looks", "see the server's log")
