"""Rows that are equal byte for byte, told by their digests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truerecall.kernels.fingerprint import Digests

Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EqualRows:
    """``first``: for each row the first one that equals it, itself where none comes before it. ``counts``: for each
    row how many equal it, itself included."""

    first: Integers
    counts: Integers


def equal_rows(digests: Digests) -> EqualRows:
    """The groups of equal rows, from one 16-byte digest per row."""
    order, differs = _ordered(digests)
    group = np.cumsum(differs) - 1
    first, counts = np.empty((2, len(order)), np.int64)
    first[order] = order[differs][group]
    counts[order] = np.bincount(group)[group]
    return EqualRows(first, counts)


def group_sizes(digests: Digests) -> Integers:
    """How many rows bear each digest that more than one row bears, the most first."""
    sizes = np.diff(np.flatnonzero(np.append(_ordered(digests)[1], True)))
    return np.asarray(np.sort(sizes[sizes > 1])[::-1].astype(np.int64))


def _ordered(digests: Digests) -> tuple[Integers, Booleans]:
    """The rows in an order in which equal ones stand together, as they came; and where another digest begins."""
    halves = np.ascontiguousarray(digests).view(np.uint64).reshape(-1, 2)
    order = np.lexsort((halves[:, 1], halves[:, 0]))
    halves = halves[order]
    differs = np.ones(len(order), np.bool_)
    differs[1:] = (halves[1:] != halves[:-1]).any(axis=1)
    return order, differs
