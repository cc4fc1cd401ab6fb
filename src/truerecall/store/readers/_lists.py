"""Neighbour lists from a matrix, which formats of one width fill up with -1."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerecall.errors import FormatError, InputError
from truerecall.model.foreign import ForeignLists
from truerecall.model.ids import as_ids
from truerecall.model.neighbors import offsets_of

PADDED = -1
"""Fills up a list in formats that hold a matrix; never an id in them."""


def lists_of_matrix(
    matrix: Any, *, what: str, padding: int | None, distances: Any = None, distance: str | None = None
) -> ForeignLists:
    """Lists from a matrix of shape (queries, k) in which ``padding`` fills up at the end of a list.

    Raises FormatError where an id follows padding.
    """
    if matrix.ndim != 2:
        raise InputError(f"{what} holds neighbours of shape {matrix.shape}", "give neighbours of shape (queries, k)")
    if distances is not None and distances.shape != matrix.shape:
        raise FormatError(
            f"{what} holds neighbours of shape {matrix.shape} and distances of shape {distances.shape}",
            "give a distance for each neighbour",
        )
    signed = matrix.dtype.kind == "i"
    held = matrix != padding if padding is not None and signed else np.ones(matrix.shape, np.bool_)
    gap = np.flatnonzero((held[:, 1:] & ~held[:, :-1]).any(axis=1))
    if len(gap):
        raise FormatError(f"{what}: in list {gap[0]} an id follows the padding -1", "pad at the end of a list alone")
    return ForeignLists(
        as_ids(matrix[held], what=what),
        offsets_of(held.sum(axis=1)),
        None if distances is None else np.asarray(distances[held], np.float64),
        distance=distance,
        padded=padding is not None and signed,
    )
