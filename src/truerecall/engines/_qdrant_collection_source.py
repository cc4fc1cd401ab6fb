"""The points of a collection of Qdrant's server, as a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from truerecall.engines._qdrant_collection import Collection, demand
from truerecall.engines._qdrant_server import asking, qdrant
from truerecall.engines._qdrant_source import point_corpus
from truerecall.model.vectors import Corpus

IDS_AT_ONCE = 10_000


def collection_corpus(collection: Collection) -> Corpus:
    """The points that have the vector, by scrolling. Raises InputError and EngineFailed."""
    found = demand(collection, "")
    client, vector = collection.client, collection.vector
    condition = qdrant.models.HasVectorCondition(has_vector=vector)
    having = qdrant.models.Filter(must=[condition]) if vector else None

    def scroll(offset: Any) -> tuple[Sequence[Any], Any]:
        with asking(client):
            points: tuple[Sequence[Any], Any] = client.scroll(
                collection.name, having, limit=IDS_AT_ONCE, offset=offset, with_payload=False, with_vectors=False
            )
        return points

    def retrieve(ids: list[Any]) -> Sequence[Any]:
        with asking(client):
            points: Sequence[Any] = client.retrieve(
                collection.name, ids, with_payload=False, with_vectors=[vector] if vector else True
            )
        return points

    def carried(ids: list[Any], path: str) -> Sequence[Any]:
        with asking(client):
            points: Sequence[Any] = client.retrieve(collection.name, ids, with_payload=[path], with_vectors=False)
        return points

    corpus = point_corpus(collection.name, vector, found.size, found.datatype, scroll, retrieve, carried)
    return replace(corpus, moving="Qdrant gives what is there at each request")
