"""Vectors from JSON lines, such as a query log: an object on each line with ``vector`` (or ``embedding``) and perhaps
``id``.

JSON writes numbers in decimals and does not say of which type they were. Where every value is a float32 number, written
either in full or as short as tells it from its neighbours, the vectors are float32; else they are float64. So rows of a
float32 corpus that went through a log are still the same rows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from truerecall.errors import FormatError, InputError
from truerecall.model.arrays import Ids, Vectors
from truerecall.model.source import ArraySource
from truerecall.store.attributes.files import json_lines
from truerecall.store.attributes.ids import ids_of_values

VECTOR_FIELDS = ("vector", "embedding")
ID_FIELDS = ("id", "_id", "query_id")


def open_jsonl(path: Path, field: str | None = None) -> tuple[ArraySource, Ids | None]:
    """The vectors and the ids in a file; None where no line gives one. Everything is held in memory."""
    vectors: list[list[float]] = []
    ids: list[Any] = []
    for number, entry in json_lines(path):
        vector = entry.get(next((name for name in (field,) if name), _present(entry)))
        if not isinstance(vector, list) or not vector or not all(type(value) in (int, float) for value in vector):
            named = field or " or ".join(VECTOR_FIELDS)
            raise FormatError(f"{path}: line {number} has no numbers in {named}", 'write {"id": ..., "vector": [...]}')
        if vectors and len(vector) != len(vectors[0]):
            raise FormatError(
                f"{path}: line {number} has {len(vector)} dimensions and the first has {len(vectors[0])}",
                "give vectors of one length",
            )
        vectors.append(vector)
        ids += [entry[name] for name in ID_FIELDS if name in entry][:1]
        if len(ids) not in (0, len(vectors)):
            raise FormatError(f"{path}: line {number} differs from the first in having an id", "give all lines one")
    if not vectors:
        raise InputError(f"{path} holds 0 rows", "give at least one vector")
    return ArraySource(_typed(vectors), str(path)), ids_of_values(ids, what=str(path)) if ids else None


def _present(entry: dict[str, Any]) -> str:
    return next((name for name in VECTOR_FIELDS if name in entry), VECTOR_FIELDS[0])


def _typed(vectors: list[list[float]]) -> Vectors:
    double = np.array(vectors, np.float64)
    with np.errstate(over="ignore"):
        single = double.astype(np.float32)
    other = np.flatnonzero((single.astype(np.float64) != double).ravel() & ~np.isnan(double).ravel())
    shortest = single.ravel()[other].astype(np.str_).astype(np.float64)
    return single if bool((shortest == double.ravel()[other]).all()) else double
