"""Which rows may answer by the user's own choice: row masks, allowed ids, exclude-self.

Every reason is put in words that depend on the vectors and ids alone, not on file names, so that two truths made
under the same conditions are the same truth.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Booleans, Ids, Integers
from truerecall.model.eligibility import FILTER, Eligibility, RowLists
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.neighbors import offsets_of
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.copies import Copies
from truerecall.steps.unusable import counted

ExcludeSelf = Literal["id", "content"]
EXCLUDE_SELF: tuple[ExcludeSelf, ...] = get_args(ExcludeSelf)

ALLOWED, SELF = "allowed", "exclude-self"
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
        reasons[FILTER] = kept_words(rows, corpus)
    if allowed is not None:
        fewest, most = int(allowed.lengths.min()), int(allowed.lengths.max())
        listed = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
        reasons[ALLOWED] = f"{listed} rows listed for each query, digest {_digest_of_lists(allowed, corpus, queries)}"
    if exclude_self is not None:
        excluded = (
            _selves(corpus, queries) if exclude_self == "id" else row_lists([copies.of(i) for i in range(len(queries))])
        )
        touched = int((excluded.lengths > 0).sum())
        if not touched:
            own = "id" if exclude_self == "id" else "content"
            raise InputError(
                f"no query has the {own} of a row: there is no self to exclude", "leave out --exclude-self"
            )
        reasons[SELF] = f"by {exclude_self}: a row of its own is excluded for {touched:,} of {len(queries):,} queries"
    return Eligibility(rows, allowed, excluded, reasons)


def kept_words(rows: Booleans, corpus: Corpus) -> str:
    """Which rows a mask keeps, as a truth says it."""
    return f"{int(rows.sum()):,} of {counted(len(rows), 'row')} kept, digest {_digest_of_mask(rows, corpus)}"


def own_exclusion(reasons: Mapping[str, str]) -> ExcludeSelf | None:
    """How a truth with these reasons kept queries from finding themselves."""
    return next((way for way in EXCLUDE_SELF if reasons.get(SELF, "").startswith(f"by {way}")), None)


def _selves(corpus: Corpus, queries: QuerySet) -> RowLists:
    own = rows_of(queries.ids, corpus.ids)
    return RowLists(own[own != NO_ROW], offsets_of((own != NO_ROW).astype(np.int64)))


def row_lists(lists: list[Integers]) -> RowLists:
    """One list for each query."""
    return RowLists(
        np.concatenate([np.empty(0, np.int64), *lists]), offsets_of(np.array([len(rows) for rows in lists], np.int64))
    )


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
