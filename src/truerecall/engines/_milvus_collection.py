"""Collections of Milvus: how one is made and filled, and what one says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from truerecall.engines._attribute_tables import demand_free_names, records
from truerecall.engines._casts import as_float32
from truerecall.engines._milvus_client import pymilvus, refusals
from truerecall.engines._milvus_index import Collection
from truerecall.engines._stderr import nothing_on_stderr
from truerecall.errors import EngineFailed, InputError
from truerecall.model.attributes import Attributes
from truerecall.model.source import CorpusSource

MEASURES = {"l2": "L2", "ip": "IP", "cosine": "COSINE"}
INSERTED_BYTES = 8 * 2**20
LONGEST_TEXT = 65535
"""In bytes; Milvus holds no longer ones."""
TYPES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "integers": ("INT64", {}),
    "floats": ("DOUBLE", {}),
    "booleans": ("BOOL", {}),
    "texts": ("VARCHAR", {"max_length": LONGEST_TEXT}),
}
NUMBERS = ("M", "efConstruction", "nlist")


def filled(client: Any, wanted: Collection, source: CorpusSource, attributes: Attributes | None = None) -> None:
    """Make the collection, fill it, and index it when all its rows lie in segments. What was there under its name goes.

    Raises InputError for what Milvus refuses, EngineFailed where the index is not the one that it was told.
    """
    library, columns = pymilvus(), demand_free_names(attributes)
    client.drop_collection(wanted.name)
    with refusals("make the collection"):
        schema = client.create_schema(auto_id=False)
        schema.add_field(wanted.id, library.DataType.INT64, is_primary=True)
        schema.add_field(wanted.vector, library.DataType.FLOAT_VECTOR, dim=wanted.dimensions)
        for name, column in columns.items():
            kind, more = TYPES[column.kind]
            schema.add_field(name, getattr(library.DataType, kind), nullable=True, **more)
        client.create_collection(wanted.name, schema=schema, consistency_level="Strong")
        for start, block in source.blocks(max(1, INSERTED_BYTES // (4 * source.dimensions))):
            rows = as_float32(block, unit_length=False)
            own = records(columns, start, start + len(rows))
            client.insert(
                wanted.name,
                [
                    {wanted.id: start + i, wanted.vector: row, **dict(zip(columns, values, strict=True))}
                    for i, (row, values) in enumerate(zip(rows, own, strict=True))
                ],
            )
        client.flush(wanted.name)
    index = client.prepare_index_params()
    # One level deeper than pymilvus documents: Milvus Lite does not see them otherwise.
    parameters = {"params": dict(wanted.parameters)}
    index.add_index(wanted.vector, index_type=wanted.kind, metric_type=wanted.measure, params=parameters)
    with refusals(f"build {wanted.kind}"), nothing_on_stderr():
        client.create_index(wanted.name, index)
        client.load_collection(wanted.name)
    held = collection_in(client, wanted.name, wanted.vector)
    if held != wanted:
        told = f"{wanted.kind} {wanted.measure} {dict(wanted.parameters)}"
        holds = f"{held.kind} {held.measure} {dict(held.parameters)}"
        raise EngineFailed(f"Milvus was told {told} and holds {holds}", "choose other build settings")


def collection_in(client: Any, name: str, vector: str | None) -> Collection:
    """The collection of that name with the index over one of its vector fields. Raises InputError."""
    if not client.has_collection(name):
        there = ", ".join(client.list_collections()) or "none"
        raise InputError(f"Milvus has no collection {name}", f"there are: {there}")
    fields = client.describe_collection(name)["fields"]
    [key] = [own["name"] for own in fields if own.get("is_primary")]
    kind = pymilvus().DataType.FLOAT_VECTOR
    named = [own for own in fields if own["type"] == kind and vector in (None, own["name"])]
    if len(named) != 1:
        problem = f"{name} has {len(named)} fields of float vectors by this name"
        raise InputError(problem, f"write vector=..., one of {', '.join(own['name'] for own in fields)}")
    [own] = named
    indexes = client.list_indexes(name, own["name"])
    said: Mapping[str, Any] = client.describe_index(name, indexes[0]) if indexes else {}
    told = said.get("params") or said
    parameters = {number: int(told[number]) for number in NUMBERS if number in told}
    kind, measure = said.get("index_type", ""), said.get("metric_type", "")
    return Collection(name, key, own["name"], int(own["params"]["dim"]), kind, measure, parameters)


def demand_index(collection: Collection, distance: str) -> None:
    """Raises InputError unless the collection has an index for the distance. Milvus Lite would take any."""
    if not collection.kind:
        raise InputError(f"{collection.name}.{collection.vector} has no index", "make one")
    if collection.measure != MEASURES[distance]:
        problem = f"the index of {collection.name} is made for {collection.measure}, not {MEASURES[distance]}"
        raise InputError(problem, "ask for its distance")
