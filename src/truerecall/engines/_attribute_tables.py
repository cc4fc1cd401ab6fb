"""Attributes as a database takes them beside the vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.attributes import Attributes, Column
from truerecall.model.filter import Filter

OWN_COLUMNS = ("id", "vector")
"""What our tables call the rows and their vectors."""
ARROW_TYPES = MappingProxyType({"integers": "int64", "floats": "float64", "booleans": "bool", "texts": "string"})


def demand_free_names(attributes: Attributes | None) -> Mapping[str, Column]:
    """The columns by name; none where there are no attributes. Raises InputError for a name that a table of ours has
    for its rows or their vectors, and for names that differ in capital letters alone, which many databases do not tell
    apart."""
    columns = {} if attributes is None else dict(attributes.columns)
    for name in columns:
        if name.lower() in OWN_COLUMNS:
            raise InputError(f"a column is called {name}, as our own for the rows is", "give it another name")
    folded = [name.casefold() for name in columns]
    twice = next((name for place, name in enumerate(columns) if folded.index(name.casefold()) < place), None)
    if twice is not None:
        raise InputError(f"two columns are called {twice} but for capital letters", "give one of them another name")
    return columns


def arrow_columns(columns: Mapping[str, Column], start: int, stop: int) -> dict[str, Any]:
    """The values of rows ``start`` to ``stop`` as arrays of Arrow."""
    import pyarrow as pa

    rows = np.arange(start, stop)
    kinds = {name: pa.type_for_alias(ARROW_TYPES[own.kind]) for name, own in columns.items()}
    return {name: pa.array(own.of_rows(rows), kinds[name]) for name, own in columns.items()}


def records(columns: Mapping[str, Column], start: int, stop: int) -> Iterator[tuple[Any, ...]]:
    """The values of each of these rows, None where it has none; empty tuples where there are no columns."""
    if not columns:
        return iter([()] * (stop - start))
    rows = np.arange(start, stop)
    return zip(*(own.of_rows(rows) for own in columns.values()), strict=True)


def kept_rows(where: Filter | None, attributes: Attributes | None) -> Any:
    """The mask of the rows that may answer, for an engine that takes one; None where all may.

    Raises InputError where the index was built without attributes.
    """
    if where is None:
        return None
    if attributes is None:
        raise InputError(f"this index knows no attributes, and {where} asks for some", "build it with them")
    return where.holds(attributes)
