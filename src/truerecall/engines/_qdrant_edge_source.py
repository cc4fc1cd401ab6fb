"""The vectors of a shard of Qdrant Edge, streamed from a copy of it, so that they are one consistent state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any
from weakref import finalize

import numpy as np

from truerecall.engines._qdrant_edge_library import edge
from truerecall.engines._qdrant_edge_shard import opened_copy
from truerecall.engines._qdrant_files import segments
from truerecall.engines._qdrant_ids import id_array, plain_id
from truerecall.errors import InputError
from truerecall.model.arrays import Integers, Vectors
from truerecall.model.engine import Place
from truerecall.model.vectors import Corpus

IDS_AT_ONCE = 10_000


@dataclass(frozen=True, eq=False)
class ShardSource:
    """The vectors under one name, in the order of the ids that the shard has: numbers first, by value.

    Under Cosine these are the vectors of unit length that Qdrant keeps.
    """

    shard: Any
    name: str
    vector: str
    numbers: Sequence[Any]
    dimensions: int
    dtype: np.dtype[Any]
    bits: int | None = None

    @property
    def rows(self) -> int:
        return len(self.numbers)

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        for first in range(start, self.rows, rows):
            yield first, self.take(np.arange(first, min(first + rows, self.rows)))

    def take(self, rows: Integers) -> Vectors:
        wanted = [self.numbers[row] for row in rows.tolist()]
        records = self.shard.retrieve(list(set(wanted)), False, [self.vector] if self.vector else True)
        by_id = {record.id: _vector(record.vector, self.vector) for record in records}
        return np.array([by_id[number] for number in wanted], self.dtype).reshape(len(wanted), self.dimensions)


def shard_corpus(folder: Path, vector: str, place: Place) -> Corpus:
    """All points that have the vector. Raises InputError for vectors of which a point has several."""
    copy, shard = opened_copy(folder, place)
    said = segments(folder, vector)[0].vector
    if said.get("multivector_config"):
        raise InputError(f"{folder} has several vectors in each point", "name a vector of which a point has one")
    numbers: list[Any] = []
    offset = None
    having = edge.Filter(must=[edge.HasVectorCondition(vector)])
    while True:
        request = edge.ScrollRequest(offset=offset, limit=IDS_AT_ONCE, filter=having, with_payload=False)
        records, offset = shard.scroll(request)
        numbers += [record.id for record in records]
        if offset is None:
            break
    dtype = np.dtype(np.float16 if said.get("datatype") == "float16" else np.float32)
    source = ShardSource(shard, folder.name, vector, numbers, said["size"], dtype)
    finalize(source, rmtree, copy, ignore_errors=True)
    return Corpus(source, id_array([plain_id(number) for number in numbers], what=str(folder)))


def _vector(stored: Any, name: str) -> Any:
    return stored[name] if isinstance(stored, dict) else stored
