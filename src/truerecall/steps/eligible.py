"""Which rows may answer which query: row masks, allowed ids, exclude-self, and what was left out as unusable.

Every reason is put in words that depend on the vectors and ids alone, not on file names, so that two truths made
under the same conditions are the same truth.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Booleans, Ids, Integers
from truerecall.model.eligibility import EVERYTHING, Eligibility, RowLists
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.neighbors import offsets_of
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.identify import Copies, Identities
from truerecall.steps.unusable import FAULTS, counted

ExcludeSelf = Literal["id", "content"]
EXCLUDE_SELF: tuple[ExcludeSelf, ...] = get_args(ExcludeSelf)

FILTER, ALLOWED, SELF = "filter", "allowed", "exclude-self"
DIGEST_BYTES = 6
PACKED_ROWS = 1 << 20


def eligibility_of(
    corpus: Corpus,
    queries: QuerySet,
    copies: Copies,
    *,
    rows: Booleans | None = None,
    allowed: RowLists | None = None,
    exclude_self: ExcludeSelf | None = None,
) -> Eligibility:
    """The rows that may answer by the user's own choice: a mask over all rows, a list for each query, and without the
    query itself, by its id or by equal content. Raises InputError where exclude-self excludes nothing.
    """
    reasons, excluded = {}, None
    if rows is not None:
        reasons[FILTER] = (
            f"{int(rows.sum()):,} of {counted(len(rows), 'row')} kept, digest {_digest_of_mask(rows, corpus)}"
        )
    if allowed is not None:
        fewest, most = int(allowed.lengths.min()), int(allowed.lengths.max())
        listed = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
        reasons[ALLOWED] = f"{listed} rows listed for each query, digest {_digest_of_lists(allowed, corpus, queries)}"
    if exclude_self is not None:
        excluded = (
            _selves(corpus, queries) if exclude_self == "id" else _lists([copies.of(i) for i in range(len(queries))])
        )
        touched = int((excluded.lengths > 0).sum())
        if not touched:
            own = "id" if exclude_self == "id" else "content"
            raise InputError(
                f"no query has the {own} of a row: there is no self to exclude", "leave out --exclude-self"
            )
        reasons[SELF] = f"by {exclude_self}: a row of its own is excluded for {touched:,} of {len(queries):,} queries"
    return Eligibility(rows, allowed, excluded, reasons)


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
        return QuerySet(whole.vectors[self.places], whole.ids[self.places], whole.name)


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
        whole = replace(whole, allowed=_only(whole.allowed, places), excluded=_only(whole.excluded, places))
    return Asked(places, replace(whole, reasons=reasons), eligible)


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


def _selves(corpus: Corpus, queries: QuerySet) -> RowLists:
    own = rows_of(queries.ids, corpus.ids)
    return RowLists(own[own != NO_ROW], offsets_of((own != NO_ROW).astype(np.int64)))


def _lists(lists: list[Integers]) -> RowLists:
    return RowLists(
        np.concatenate([np.empty(0, np.int64), *lists]), offsets_of(np.array([len(rows) for rows in lists], np.int64))
    )


def _only(lists: RowLists | None, places: Integers) -> RowLists | None:
    return None if lists is None else _lists([lists.of(place) for place in places])


def _digest_of_mask(rows: Booleans, corpus: Corpus) -> str:
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    if corpus.given_ids is None:
        for start in range(0, len(rows), PACKED_ROWS):
            digest.update(np.packbits(rows[start : start + PACKED_ROWS]).tobytes())
    else:
        digest.update(_bytes_of(np.sort(corpus.given_ids[rows])))
    return digest.hexdigest()


def _digest_of_lists(allowed: RowLists, corpus: Corpus, queries: QuerySet) -> str:
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for query in np.argsort(queries.ids, kind="stable"):
        rows = allowed.of(query)
        digest.update(len(rows).to_bytes(8, "little"))
        digest.update(_bytes_of(rows if corpus.given_ids is None else np.sort(corpus.given_ids[rows])))
    return digest.hexdigest()


def _bytes_of(ids: Ids) -> bytes:
    if ids.dtype.kind != "T":
        return ids.astype(ids.dtype.newbyteorder("<")).tobytes()
    return b"".join(len(name := value.encode()).to_bytes(8, "little") + name for value in ids.tolist())
