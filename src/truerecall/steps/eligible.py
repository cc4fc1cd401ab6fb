"""What is left to be searched: the user's choice of rows without the vectors that were left out as unusable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Integers
from truerecall.model.eligibility import EVERYTHING, Eligibility, RowLists
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.choice import row_lists
from truerecall.steps.copies import Copies
from truerecall.steps.identify import Identities
from truerecall.steps.unusable import FAULTS, counted


@dataclass(frozen=True, eq=False)
class Asked:
    """What is to be searched: ``places`` of the queries that some row may answer, and which rows those are.

    ``eligible``: for each query of the whole set, how many rows may answer it. ``reasons``: those of the user's
    choice and of what was left out as unusable.
    """

    places: Integers
    eligibility: Eligibility
    eligible: Integers

    @property
    def reasons(self) -> Mapping[str, str]:
        return self.eligibility.reasons

    def queries(self, whole: QuerySet) -> QuerySet:
        """The queries at ``places``; the whole set where that is all of them."""
        if len(self.places) == len(whole):
            return whole
        return QuerySet(whole.vectors[self.places], whole.ids[self.places], whole.name, whole.bits)


def asked_of(chosen: Eligibility, corpus: Corpus, queries: QuerySet, sides: Identities) -> Asked:
    """What is left of the user's choice without the unusable rows and queries. Raises InputError where no row may
    answer any query."""
    n, unusable = corpus.source.rows, sides.corpus.left_out.mask
    reasons = {**_unusable_reasons(sides), **chosen.reasons}
    whole = chosen
    if unusable is not None:
        whole = replace(chosen, rows=~unusable if chosen.rows is None else chosen.rows & ~unusable)
    eligible = whole.counts(n, len(queries))
    if sides.queries.left_out.mask is not None:
        eligible = np.where(sides.queries.left_out.mask, 0, eligible)
    places = np.flatnonzero(eligible)
    if not len(places):
        raise InputError(
            f"no row of {corpus.source.name} may answer any of the {counted(len(queries), 'query')}",
            "0 queries would be evaluated: widen the filter, or give other vectors",
        )
    if not reasons:
        return Asked(places, EVERYTHING, eligible)
    if len(places) < len(queries):
        whole = eligibility_for(whole, places)
    return Asked(places, replace(whole, reasons=reasons), eligible)


def eligibility_for(eligibility: Eligibility, places: Integers) -> Eligibility:
    """What holds for the queries at ``places``."""
    allowed, excluded = (_only(lists, places) for lists in (eligibility.allowed, eligibility.excluded))
    return replace(eligibility, allowed=allowed, excluded=excluded)


def eligible_copies(copies: Copies, asked: Asked, queries: int) -> Integers:
    """For each query how many of the rows that may answer it equal it."""
    counts = np.zeros(queries, np.int64)
    for place, query in enumerate(asked.places):
        rows, eligibility = copies.of(query), asked.eligibility
        if len(rows) and eligibility is not EVERYTHING:
            if eligibility.rows is not None:
                rows = rows[eligibility.rows[rows]]
            if eligibility.allowed is not None:
                rows = np.intersect1d(rows, eligibility.allowed.of(place), assume_unique=True)
            if eligibility.excluded is not None:
                rows = np.setdiff1d(rows, eligibility.excluded.of(place), assume_unique=True)
        counts[query] = len(rows)
    return counts


def _unusable_reasons(sides: Identities) -> dict[str, str]:
    reasons = {}
    for reason, fault in FAULTS.items():
        rows, asked = (side.left_out.counts.get(reason, 0) for side in (sides.corpus, sides.queries))
        if rows or asked:
            reasons[reason] = f"{counted(rows, 'row')} and {counted(asked, 'query')} left out: {fault}"
    return reasons


def _only(lists: RowLists | None, places: Integers) -> RowLists | None:
    return None if lists is None else row_lists([lists.of(place) for place in places])
