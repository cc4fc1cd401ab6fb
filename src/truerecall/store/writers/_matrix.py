"""Neighbour lists as a matrix, for formats of one width."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Booleans
from truerecall.model.foreign import ForeignLists

PADDING = -1
RAGGED = "write .parquet or .json, which hold any id and lists of any length"


def places(lists: ForeignLists) -> Booleans:
    """Which places of a matrix of shape (queries, longest list) hold a neighbour."""
    lengths = np.diff(lists.offsets)
    return np.asarray(np.arange(lengths.max(initial=0)) < lengths[:, None])


def id_matrix(lists: ForeignLists) -> Any:
    """The ids, int64, uint64 or fixed-width strings; short lists of int64 are filled up with -1.

    Raises InputError where -1 is an id, or where lists are short and the ids cannot be -1.
    """
    held = places(lists)
    ids = np.array(lists.ids.tolist(), np.str_) if lists.ids.dtype.kind == "T" else np.asarray(lists.ids)
    if ids.dtype == np.int64 and bool((ids == PADDING).any()):
        raise InputError("the corpus has the id -1, which fills up short lists in this format", RAGGED)
    if held.all():
        return ids.reshape(held.shape)
    if ids.dtype != np.int64:
        raise InputError("some lists are short, and these ids leave no value to fill them up with", RAGGED)
    matrix = np.full(held.shape, PADDING, np.int64)
    matrix[held] = ids
    return matrix


def small_id_matrix(lists: ForeignLists, kind: str) -> Any:
    """The same as int32. Raises InputError for strings and for ids that need more than 32 bits."""
    if lists.ids.dtype.kind == "T":
        raise InputError(f"{kind} holds whole numbers and these ids are strings", f"use --by row, or {RAGGED}")
    matrix = id_matrix(lists)
    limits = np.iinfo(np.int32)
    wrong = matrix[(matrix > limits.max) | (matrix < limits.min)]
    if len(wrong):
        raise InputError(
            f"{kind} holds ids of 32 bits and {len(wrong)} of these need more (first: {wrong[0]})",
            f"use --by row, or {RAGGED}",
        )
    return matrix.astype("<i4")


def distance_matrix(lists: ForeignLists) -> Any:
    """The distances, NaN where a list is short; None where there are none."""
    if lists.distances is None:
        return None
    held = places(lists)
    matrix = np.full(held.shape, np.nan)
    matrix[held] = lists.distances
    return matrix
