"""Neighbour lists as other tools write them: ids for each query, perhaps with distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.errors import FormatError, InputError
from truerecall.model.arrays import Floats, Ids, Integers
from truerecall.model.ids import as_ids
from truerecall.model.neighbors import offsets_of

PADDED = -1
"""Fills up a list in formats that hold a matrix; never an id in them."""


@dataclass(frozen=True, eq=False)
class NeighborLists:
    """``ids``: all lists one after another, list i at ``offsets[i]:offsets[i + 1]``. ``distances``: as the file has
    them, on whatever scale, None where it has none. ``query_ids``: whose lists these are, None where they are in the
    order of the queries. ``distance``: the geometry that the file names, None where it names none. ``padded``:
    whether the format fills up with -1.
    """

    ids: Ids
    offsets: Integers
    distances: Floats | None = None
    query_ids: Ids | None = None
    distance: str | None = None
    padded: bool = False

    def __len__(self) -> int:
        return len(self.offsets) - 1


def lists_of_matrix(
    matrix: Any, *, what: str, padding: int | None, distances: Any = None, distance: str | None = None
) -> NeighborLists:
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
    return NeighborLists(
        as_ids(matrix[held], what=what),
        offsets_of(held.sum(axis=1)),
        None if distances is None else np.asarray(distances[held], np.float64),
        distance=distance,
        padded=padding is not None and signed,
    )
