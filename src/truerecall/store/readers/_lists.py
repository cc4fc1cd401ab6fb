"""Neighbour lists without the padding that formats of one width, and outer joins, fill them up with."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerecall.errors import FormatError, InputError
from truerecall.model.foreign import ForeignLists, without_padding
from truerecall.model.ids import as_ids

PADDED = -1
"""Fills up a list in formats that hold a matrix; never an id in them."""


def lists_of_matrix(
    matrix: Any, *, what: str, padding: int | None, distances: Any = None, distance: str | None = None
) -> ForeignLists:
    """Lists from a matrix of shape (queries, k) in which ``padding`` stands for no neighbour."""
    if matrix.ndim != 2:
        raise InputError(f"{what} holds neighbours of shape {matrix.shape}", "give neighbours of shape (queries, k)")
    if distances is not None and distances.shape != matrix.shape:
        raise FormatError(
            f"{what} holds neighbours of shape {matrix.shape} and distances of shape {distances.shape}",
            "give a distance for each neighbour",
        )
    signed = matrix.dtype.kind == "i"
    held = matrix != padding if padding is not None and signed else np.ones(matrix.shape, np.bool_)
    return without_padding(
        as_ids(matrix.ravel(), what=what),
        held.ravel(),
        np.full(len(matrix), matrix.shape[1], np.int64),
        None if distances is None else np.asarray(distances.ravel(), np.float64),
        distance=distance,
        padded=padding is not None and signed,
    )


def refuse_holes(lists: ForeignLists, *, what: str) -> None:
    """Raises FormatError where an id follows padding: a truth has none before its end."""
    if lists.holes is not None:
        first = int(np.searchsorted(lists.offsets, np.flatnonzero(lists.holes)[0], side="right")) - 1
        raise FormatError(f"{what}: in list {first} an id follows the padding -1", "pad at the end of a list alone")
