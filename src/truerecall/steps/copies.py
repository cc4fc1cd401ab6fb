"""The rows that are copies of queries: found as the digests of rows go by, without keeping those of other rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truerecall.kernels.fingerprint import ROW_DIGEST_BYTES, Digests, row_digests
from truerecall.model.arrays import Booleans, Integers, Vectors
from truerecall.model.eligibility import RowLists
from truerecall.model.neighbors import offsets_of
from truerecall.model.vectors import QuerySet

SORTABLE = np.dtype(f"S{ROW_DIGEST_BYTES + 1}")


@dataclass(frozen=True, eq=False)
class Copies:
    """The rows that hold the same values as a query. Equal queries share one list: ``lists.of(which[query])``.

    ``which`` is -1 for a query that the corpus's element type cannot hold: it equals no row.
    """

    which: Integers
    lists: RowLists

    def of(self, query: int) -> Integers:
        return self.lists.of(self.which[query]) if self.which[query] >= 0 else np.empty(0, np.int64)

    @property
    def counts(self) -> Integers:
        return np.where(self.which >= 0, self.lists.lengths[self.which], 0)


class Matches:
    """Collects the rows that equal a query, by content, as the digests of rows go by."""

    def __init__(self, queries: QuerySet, dtype: np.dtype[Any]) -> None:
        vectors, comparable = queries.vectors, np.ones(len(queries), np.bool_)
        if queries.dtype != dtype:
            with np.errstate(all="ignore"):
                vectors = vectors.astype(dtype)
            comparable = _same_values(vectors, queries.vectors)
        self._wanted, which = np.unique(_sortable(row_digests(vectors)), return_inverse=True)
        self._which = np.where(comparable, which, -1).astype(np.int64)
        self._rows: list[Integers] = []
        self._contents: list[Integers] = []

    def look(self, start: int, digests: Digests) -> None:
        if not len(self._wanted):
            return
        rows = _sortable(digests)
        place = np.minimum(np.searchsorted(self._wanted, rows), len(self._wanted) - 1)
        hit = np.flatnonzero(self._wanted[place] == rows)
        self._rows.append(start + hit)
        self._contents.append(place[hit])

    def copies(self) -> Copies:
        rows, contents = (np.concatenate([np.empty(0, np.int64), *parts]) for parts in (self._rows, self._contents))
        lengths = np.bincount(contents, minlength=len(self._wanted)).astype(np.int64)
        return Copies(self._which, RowLists(rows[np.argsort(contents, kind="stable")], offsets_of(lengths)))


def _same_values(cast: Vectors, own: Vectors) -> Booleans:
    return np.asarray((cast.astype(np.float64) == own.astype(np.float64)).all(axis=1))


def _sortable(digests: Digests) -> NDArray[np.bytes_]:
    """Void arrays do not sort; as byte strings they do, once they end in a byte that is not zero."""
    marked = np.full((len(digests), SORTABLE.itemsize), 1, np.uint8)
    marked[:, :-1] = digests.view(np.uint8).reshape(-1, ROW_DIGEST_BYTES)
    return marked.view(SORTABLE).reshape(-1)
