"""Qdrant, on a server over REST or gRPC.

The server is named by ``QDRANT_URL``, with ``QDRANT_API_KEY`` where it has one; where ``QDRANT_GRPC_PORT`` is set all
is asked over gRPC at that port, and the facts of a run say so. Its counts say how many vectors its graphs hold; a
segment below ``full_scan_threshold`` is scanned all the same, and of segments only the number is known, so that the
path can be unknown. The client's local mode searches exactly and is refused. Tests run this engine against a stub that
speaks the client's own schema and protocol, not against a server. Scores are never passed on.

State
    Points that have the vector, ``indexed_vectors_count``, the status and number of segments as the server tells them.
    Of a collection in one segment the path follows from its size and ``full_scan_threshold``; of several, or behind a
    filter, it is unknown.

Costs
    It counts nothing.

Attached
    ``--attach "COLLECTION?vector=NAME"``, the vector where points name theirs. Only searches and reads are sent. Ids
    are whole numbers up to 2**64 - 1 or UUIDs, and answers come by them. As a corpus it is scrolled through: a server
    gives no snapshot, and ``moving-corpus`` says so.

Traps
    - The client's local mode searches exactly whatever it is told, and its state is "green" all the same: it is
      refused.
    - "green" does not mean indexed: ``indexed_vectors_count`` is held against the points.
    - A segment below ``full_scan_threshold`` is scanned although it has a graph. Both thresholds are in KB of
      vectors.
    - Without ``payload_index`` a filter finds few of the rows that it should: the graph has no links among them.
    - "must_not" also takes points that lack the field: filters ask for a value beside it. Texts have no order.
    - Order among whole numbers from 2**53, and numbers with a fraction of more than 15 digits, are refused: they
      need not come back from its payloads as they went in.
    - Over REST the client opens a connection for every call to a server on this machine: compare latencies over gRPC,
      or with what your own application does.
    - No server could be had for the tests: they run against a stub that speaks the schema of the client.

Example
    --engine qdrant --set m=16 --vary hnsw_ef=16,64,256 --distance l2
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from truerecall.engines._address import parsed
from truerecall.engines._library import installed
from truerecall.engines._qdrant_base import GraphsOfQdrant
from truerecall.engines._qdrant_filter import named
from truerecall.engines._qdrant_words import OWN_NAME, checked_graph
from truerecall.errors import InputError
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Place, Settings
from truerecall.model.source import CorpusSource
from truerecall.model.vectors import Corpus
from truerecall.store.attributes.files import json_document

if TYPE_CHECKING:
    from truerecall.engines._qdrant_collection import Collection
    from truerecall.engines._qdrant_index import ServerIndex


class QdrantEngine(GraphsOfQdrant):
    """Builds collections, finds saved ones, and attaches to those that exist."""

    name = "qdrant"
    extra = "qdrant"
    tested: Literal["real", "stub"] = "stub"
    tested_with = "qdrant-client 1.20.0"

    def version(self) -> str | None:
        return installed("qdrant-client")

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
    ) -> ServerIndex:
        """``seed`` reaches nothing: Qdrant draws the levels of its graphs by itself."""
        self.demand_distance(distance)
        from truerecall.engines._qdrant_collection import made
        from truerecall.engines._qdrant_index import ServerIndex
        from truerecall.engines._qdrant_server import connected

        wanted = checked_graph(settings)
        collection = made(connected(place), source, distance, wanted, threads, attributes)
        return ServerIndex(collection, distance, source.dtype, columns=named(attributes))

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
    ) -> ServerIndex:
        from truerecall.engines._qdrant_collection import Collection, demand
        from truerecall.engines._qdrant_index import ServerIndex
        from truerecall.engines._qdrant_server import connected

        collection = Collection(connected(place), _saved_name(path))
        found, rows = demand(collection, distance), collection.count()
        if (rows, found.size) != (source.rows, source.dimensions):
            raise InputError(
                f"{collection.name} holds {rows} points of {found.size} dimensions and {source.name} {source.rows} "
                f"of {source.dimensions}",
                "build it again",
            )
        return ServerIndex(collection, distance, source.dtype, kept=True, columns=named(attributes))

    def discard(self, path: Path, *, place: Place) -> None:
        from truerecall.engines._qdrant_server import asking, connected

        client, name = connected(place), _saved_name(path)
        with asking(client):
            if client.collection_exists(name):
                client.delete_collection(name)
        client.close()

    def attach(self, name: str, distance: str, *, place: Place) -> ServerIndex:
        """``name`` is a collection, with ``?vector=NAME`` where its points name their vectors."""
        self.demand_distance(distance)
        from truerecall.engines._qdrant_collection import demand
        from truerecall.engines._qdrant_index import ServerIndex
        from truerecall.engines._qdrant_server import address_of

        collection = _named(name, place)
        demand(collection, distance)
        index = ServerIndex(collection, distance, attached=True)
        index.identity = f"{address_of(collection.client)} {collection.said().created_at}"
        return index

    def source(self, name: str, *, place: Place) -> Corpus:
        """The points that have the vector, by scrolling; under Cosine of unit length, as Qdrant keeps them. A server
        gives no snapshot: points that go meanwhile stop it, points that change do not."""
        from truerecall.engines._qdrant_collection_source import collection_corpus

        return collection_corpus(_named(name, place))


def _saved_name(path: Path) -> str:
    """Of the collection that ``save`` wrote of, which is one of ours. Raises InputError."""
    saved = json_document(path)
    name = saved.get("collection") if isinstance(saved, dict) and saved.get("engine") == engine.name else None
    if not isinstance(name, str) or not name.startswith(OWN_NAME):
        raise InputError(f"{path} names no collection of Qdrant", "build it again")
    return name


def _named(name: str, place: Place) -> Collection:
    from truerecall.engines._qdrant_collection import Collection
    from truerecall.engines._qdrant_server import connected

    collection, said = parsed(name, ("vector",))
    return Collection(connected(place), collection, said.get("vector", ""))


engine = QdrantEngine()
