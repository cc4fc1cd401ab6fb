"""Filters in the classes of Qdrant Edge, and the indexes that it makes for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from truerecall.engines._qdrant_edge_library import edge
from truerecall.engines._qdrant_filter import Json, conditions, path
from truerecall.model.attributes import Column
from truerecall.model.filter import Filter

INDEXED_AS = {"integers": "Integer", "floats": "Float", "booleans": "Bool", "texts": "Keyword"}


def edge_filter(where: Filter | None) -> Any:
    """None where there is none."""
    return None if where is None else _filter(conditions(where))


def index_payload(shard: Any, columns: Mapping[str, Column]) -> None:
    """Index the columns, each by its kind."""
    for name, column in columns.items():
        kind = getattr(edge.PayloadSchemaType, INDEXED_AS[column.kind])
        shard.update(edge.UpdateOperation.create_field_index(path(name), kind))


def _filter(said: Json) -> Any:
    return edge.Filter(**{clause: [_condition(own) for own in listed] for clause, listed in said.items()})


def _condition(said: Json) -> Any:
    if "is_empty" in said:
        return edge.IsEmptyCondition(said["is_empty"]["key"])
    if "match" in said:
        value = said["match"]["value"]
        # The binding takes Python's True for the number 1, and NumPy's for what it is.
        wanted = edge.MatchValue(np.bool_(value) if isinstance(value, bool) else value)
        return edge.FieldCondition(said["key"], match=wanted)
    if "range" in said:
        return edge.FieldCondition(said["key"], range=edge.RangeFloat(**said["range"]))
    return _filter(said)
