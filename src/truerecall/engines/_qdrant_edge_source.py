"""The vectors of a shard of Qdrant Edge, streamed from a copy of it, so that they are one consistent state."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from typing import Any
from weakref import finalize

from truerecall.engines._qdrant_edge_library import edge
from truerecall.engines._qdrant_edge_shard import opened_copy
from truerecall.engines._qdrant_files import segments
from truerecall.engines._qdrant_source import point_corpus
from truerecall.errors import InputError
from truerecall.model.engine import Place
from truerecall.model.vectors import Corpus

IDS_AT_ONCE = 10_000


def shard_corpus(folder: Path, vector: str, place: Place) -> Corpus:
    """All points that have the vector. The copy goes when the source does. Raises InputError where a point has several
    vectors under the name."""
    said = segments(folder, vector)[0].vector
    if said.get("multivector_config"):
        raise InputError(f"{folder} has several vectors in each point", "name a vector of which a point has one")
    copy, shard = opened_copy(folder, place)
    having = edge.Filter(must=[edge.HasVectorCondition(vector)])

    def scroll(offset: Any) -> tuple[Sequence[Any], Any]:
        request = edge.ScrollRequest(offset=offset, limit=IDS_AT_ONCE, filter=having, with_payload=False)
        points, following = shard.scroll(request)
        return points, following

    def retrieve(ids: list[Any]) -> Sequence[Any]:
        points: Sequence[Any] = shard.retrieve(ids, False, [vector] if vector else True)
        return points

    def carried(ids: list[Any], path: str) -> Sequence[Any]:
        points: Sequence[Any] = shard.retrieve(ids, [path], False)
        return points

    corpus = point_corpus(folder.name, vector, said["size"], said.get("datatype"), scroll, retrieve, carried)
    finalize(corpus.source, rmtree, copy, ignore_errors=True)
    return corpus
