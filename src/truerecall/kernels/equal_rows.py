"""Rows that are equal byte for byte, told by their digests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truerecall.kernels.fingerprint import Digests

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EqualRows:
    """``first``: for each row the first one that equals it, itself where none comes before it. ``counts``: for each
    row how many equal it, itself included."""

    first: Integers
    counts: Integers


def equal_rows(digests: Digests) -> EqualRows:
    """The groups of equal rows, from one 16-byte digest per row."""
    halves = digests.view(np.uint64).reshape(-1, 2)
    order = np.lexsort((halves[:, 1], halves[:, 0]))  # stable: equal rows stay in their order
    differs = np.ones(len(order), np.bool_)
    differs[1:] = (halves[order[1:]] != halves[order[:-1]]).any(axis=1)
    group = np.cumsum(differs) - 1
    first, counts = np.empty((2, len(order)), np.int64)
    first[order] = order[differs][group]
    counts[order] = np.bincount(group)[group]
    return EqualRows(first, counts)
