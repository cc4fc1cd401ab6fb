"""The vectors in a collection of Milvus, streamed by query iterators in the order of their ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from truerecall.engines._milvus_client import pymilvus
from truerecall.engines._milvus_index import PATIENCE, Collection
from truerecall.errors import EngineFailed, InputError, UnknownName
from truerecall.model.arrays import Ids, Integers, Vectors
from truerecall.model.attributes import Attributes, Column
from truerecall.model.ids import as_ids
from truerecall.model.source import HereAlone, refilled
from truerecall.store.attributes.table import column_of_values

BATCH_ROWS = 2048
FLOAT32: np.dtype[Any] = np.dtype(np.float32)
CHANGED = "keep it still while it is read"
COMPARED = ("BOOL", "INT8", "INT16", "INT32", "INT64", "FLOAT", "DOUBLE", "VARCHAR")
"""The types of fields that filters can look at."""


@dataclass(frozen=True, eq=False)
class MilvusSource(HereAlone):
    """Milvus Lite knows no snapshot. So what is read is held against ``ids``, and rows that came or went in the
    meantime raise EngineFailed; vectors that changed under the same id are not noticed."""

    client: Any
    collection: Collection
    ids: Ids
    name: str
    dtype: np.dtype[Any] = FLOAT32
    bits: int | None = None

    @property
    def rows(self) -> int:
        return len(self.ids)

    @property
    def dimensions(self) -> int:
        return self.collection.dimensions

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        buffer = np.empty((min(rows, max(1, self.rows - start)), self.dimensions), self.dtype)
        pieces = (np.array(values, self.dtype) for values in self.values(self.collection.vector, start))
        yield from refilled(pieces, buffer, start)

    def take(self, rows: Integers) -> Vectors:
        own, taken = self.collection, np.empty((len(rows), self.dimensions), self.dtype)
        for first in range(0, len(rows), BATCH_ROWS):
            wanted = self.ids[rows[first : first + BATCH_ROWS]].tolist()
            # pymilvus's own get() does not escape what stands in an id.
            condition = f"{own.id} in [{', '.join(map(_literal, set(wanted)))}]"
            found = self.client.query(own.name, condition, [own.id, own.vector], **PATIENCE)
            vectors = {entity[own.id]: entity[own.vector] for entity in found}
            if set(wanted) != set(vectors):
                raise EngineFailed(f"rows of {self.name} went away while it was read", CHANGED)
            taken[first : first + len(wanted)] = [vectors[id_] for id_ in wanted]
        return taken

    def values(self, field: str, start: int = 0) -> Iterator[list[Any]]:
        """What the rows from ``start`` on have in a field, some at a time."""
        own, first = self.collection, start
        if start >= self.rows:
            return
        for entities in batches(self.client, own, [own.id, field], self.ids[start]):
            if [entity[own.id] for entity in entities] != self.ids[first : first + len(entities)].tolist():
                raise EngineFailed(f"rows of {self.name} came or went while it was read", CHANGED)
            first += len(entities)
            yield [entity.get(field) for entity in entities]
        if first < self.rows:
            raise EngineFailed(f"rows of {self.name} went away while it was read", CHANGED)


@dataclass(frozen=True, eq=False)
class MilvusAttributes:
    """The other fields of the same rows, of which ``source`` sees to it that they are the same."""

    source: MilvusSource

    def read(self, names: Iterable[str]) -> Attributes:
        """See AttributeSource. Fields that stand in the schema of the collection."""
        return Attributes({name: self._column(name) for name in names})

    def _column(self, name: str) -> Column:
        own = self.source
        kinds = {
            field["name"]: pymilvus().DataType(field["type"]).name
            for field in own.client.describe_collection(own.collection.name)["fields"]
        }
        if name not in kinds:
            raise UnknownName(f"field of {own.name}", name, kinds)
        if kinds[name] not in COMPARED:
            raise InputError(
                f"{name} of {own.name} is of type {kinds[name]}", "name a field of numbers, texts or truth values"
            )
        values = [value for part in own.values(name) for value in part]
        return column_of_values(values, what=f"{own.name} field {name}")


def ids_of(client: Any, collection: Collection) -> Ids:
    """All ids of a collection, in ascending order. Raises EngineFailed where Milvus gives them in another one."""
    found = [entity[collection.id] for part in batches(client, collection, [collection.id]) for entity in part]
    if any(a >= b for a, b in pairwise(found)):
        raise EngineFailed(f"Milvus gives the rows of {collection.name} out of order", CHANGED)
    return as_ids(np.array(found, np.int64 if found and isinstance(found[0], int) else object), what=collection.name)


def batches(client: Any, collection: Collection, fields: list[str], since: Any = None) -> Iterator[list[Any]]:
    """The entities from an id on, as they are streamed. pymilvus goes on from the last id of a batch and does not
    escape what stands in it: behind such a one another iterator begins."""
    condition: str | None = "" if since is None else f"{collection.id} >= {_literal(since)}"
    while condition is not None:
        iterator = client.query_iterator(
            collection.name, batch_size=BATCH_ROWS, output_fields=fields, filter=condition, timeout=PATIENCE["timeout"]
        )
        condition = None
        try:
            while condition is None and (entities := iterator.next()):
                last = entities[-1][collection.id]
                if isinstance(last, str) and _literal(last) != f'"{last}"':
                    condition = f"{collection.id} > {_literal(last)}"
                yield entities
        finally:
            iterator.close()


def _literal(id_: Any) -> str:
    """An id in the language of conditions."""
    if isinstance(id_, str):
        return '"' + id_.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(int(id_))
