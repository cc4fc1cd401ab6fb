"""Which rows may answer which query.

A row that may not answer is a miss in every measure, and is no part of the truth. Each reason for leaving rows out is
kept with its text, because a list that is short without a reason is a broken list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from truerecall.model.arrays import Booleans, Integers, frozen

FILTER = "filter"
"""Under this name a truth says which rows a mask or a filter kept."""


@dataclass(frozen=True, eq=False)
class RowLists:
    """A list of row numbers for each query, ascending and without repeats, one after another."""

    rows: Integers
    offsets: Integers

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", frozen(self.rows))
        object.__setattr__(self, "offsets", frozen(self.offsets))

    def of(self, query: int) -> Integers:
        return self.rows[self.offsets[query] : self.offsets[query + 1]]

    @property
    def lengths(self) -> Integers:
        return np.diff(self.offsets)

    def of_queries(self, part: slice) -> RowLists:
        """The lists of some of the queries, in order."""
        lengths = self.lengths[part]
        first = int(self.offsets[part.start])
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        return RowLists(self.rows[first : first + int(offsets[-1])], offsets)


@dataclass(frozen=True, eq=False)
class Eligibility:
    """``rows``: True for each row that may answer at all, None where all may. ``allowed``: for each query the only
    rows that may answer it, None where there is no such list. ``excluded``: for each query rows that may not answer
    it. ``reasons``: what left rows out -> in words, stored with the truth (``filter``, ``zero-vectors``,
    ``exclude-self``).
    """

    rows: Booleans | None = None
    allowed: RowLists | None = None
    excluded: RowLists | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)

    def counts(self, corpus_rows: int, queries: int) -> Integers:
        """For each query how many rows may answer it."""
        if self.allowed is None:
            everywhere = corpus_rows if self.rows is None else int(self.rows.sum())
            left_out = np.zeros(queries, np.int64) if self.excluded is None else self._counted(self.excluded)
            return np.full(queries, everywhere, np.int64) - left_out
        return np.array([len(self.rows_for(query, corpus_rows)) for query in range(queries)], np.int64)

    def rows_for(self, query: int, corpus_rows: int) -> Integers:
        """The rows that may answer one query, ascending."""
        if self.allowed is not None:
            rows = self.allowed.of(query)
            if self.rows is not None:
                rows = rows[self.rows[rows]]
        else:
            rows = np.arange(corpus_rows) if self.rows is None else np.flatnonzero(self.rows)
        return rows if self.excluded is None else np.setdiff1d(rows, self.excluded.of(query), assume_unique=True)

    @property
    def restricts(self) -> bool:
        """Whether any row may not answer some query."""
        return not (self.rows is None and self.allowed is None and self.excluded is None)

    def of_queries(self, part: slice) -> Eligibility:
        """What holds for some of the queries."""
        allowed = None if self.allowed is None else self.allowed.of_queries(part)
        excluded = None if self.excluded is None else self.excluded.of_queries(part)
        return Eligibility(self.rows, allowed, excluded, self.reasons)

    def _counted(self, lists: RowLists) -> Integers:
        """For each list how many of its rows the mask keeps."""
        kept = np.ones(len(lists.rows), np.int64) if self.rows is None else self.rows[lists.rows].astype(np.int64)
        sums = np.concatenate(([0], np.cumsum(kept)))
        return np.asarray(sums[lists.offsets[1:]] - sums[lists.offsets[:-1]])


EVERYTHING = Eligibility()
"""Every row may answer every query."""
