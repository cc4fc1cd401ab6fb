"""Say which vectors these are, and refuse or leave out the ones that no distance is defined for.

One pass in blocks over each side. What is kept of a row is 16 bytes where ids are given (their order decides the
order of the ledger) and nothing where it is called by its number; and 8 bytes if it equals a query.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from truerecall.kernels.fingerprint import ROW_DIGEST_BYTES, Digests, Ledger, row_digests
from truerecall.model.arrays import Booleans, Ids, Integers
from truerecall.model.distance import Distance
from truerecall.model.eligibility import RowLists
from truerecall.model.ids import id_kind
from truerecall.model.neighbors import offsets_of
from truerecall.model.progress import SILENT, Progress
from truerecall.model.source import ArraySource, CorpusSource
from truerecall.model.subject import Subject
from truerecall.model.vectors import Corpus, Fingerprint, QuerySet
from truerecall.steps.unusable import REFUSE_ALL, LeftOut, Policies, Unusable

BLOCK_BYTES = 4 << 20
BLOCK_ROWS = 1 << 14
LEDGER_ROWS = 1 << 16
SORTABLE = np.dtype(f"S{ROW_DIGEST_BYTES + 1}")


@dataclass(frozen=True, eq=False)
class Identity:
    """Which vectors one side is, all rows included, and which of them were left out."""

    fingerprint: Fingerprint
    left_out: LeftOut


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


@dataclass(frozen=True, eq=False)
class Identities:
    """Both sides of a measurement, and which rows are copies of queries."""

    corpus: Identity
    queries: Identity
    copies: Copies

    def subject(self, distance: Distance) -> Subject:
        return Subject(distance.name, self.corpus.fingerprint, self.queries.fingerprint)


def identify(
    corpus: Corpus,
    queries: QuerySet,
    distance: Distance,
    *,
    policies: Policies = REFUSE_ALL,
    progress: Progress = SILENT,
) -> Identities:
    """Which vectors both sides are. Raises InputError where the distance is not defined for one of them and the policy
    is to refuse. Queries of another element type are compared with rows in the corpus's own.
    """
    asked = _identify(
        ArraySource(queries.vectors, queries.name),
        queries.given_ids,
        Unusable(queries.name, "query", distance),
        policies,
    )
    matches = _Matches(queries, corpus.source)
    unusable = Unusable(corpus.source.name, "row", distance)
    searched = _identify(corpus.source, corpus.given_ids, unusable, policies, progress, matches.look)
    return Identities(searched, asked, matches.copies())


def _identify(
    source: CorpusSource,
    ids: Ids | None,
    unusable: Unusable,
    policies: Policies,
    progress: Progress = SILENT,
    look: Callable[[int, Digests], None] = lambda start, digests: None,
) -> Identity:
    kind = id_kind(ids)
    ledger = Ledger(f"{kind} {source.dimensions} {source.dtype.name}\n")
    kept = None if ids is None else np.empty(source.rows, np.dtype((np.void, ROW_DIGEST_BYTES)))
    progress.start(f"reading {source.name}", source.rows, "rows")
    row_bytes = source.dimensions * source.dtype.itemsize
    for start, block in source.blocks(max(1, min(BLOCK_ROWS, BLOCK_BYTES // row_bytes))):
        unusable.look(start, block, source.rows)
        digests = row_digests(block)
        look(start, digests)
        if kept is None:
            ledger.add(np.arange(start, start + len(block)), digests)
        else:
            kept[start : start + len(block)] = digests
        progress.advance(len(block))
    left_out = unusable.settle(policies)
    if ids is not None and kept is not None:
        order = np.argsort(ids, kind="stable")
        for start in range(0, len(order), LEDGER_ROWS):
            part = order[start : start + LEDGER_ROWS]
            ledger.add(ids[part], kept[part])
    fingerprint = Fingerprint(ledger.digest(), source.rows, source.dimensions, source.dtype.name, kind)
    return Identity(fingerprint, left_out)


class _Matches:
    """Collects the rows that equal a query, by content, as the digests of rows go by."""

    def __init__(self, queries: QuerySet, source: CorpusSource) -> None:
        vectors, comparable = queries.vectors, np.ones(len(queries), np.bool_)
        if queries.dtype != source.dtype:
            with np.errstate(all="ignore"):
                vectors = vectors.astype(source.dtype)
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


def _same_values(cast: np.ndarray, own: np.ndarray) -> Booleans:
    return np.asarray((cast.astype(np.float64) == own.astype(np.float64)).all(axis=1))


def _sortable(digests: Digests) -> np.ndarray[tuple[int], np.dtype[np.bytes_]]:
    """Void arrays do not sort; as byte strings they do, once they end in a byte that is not zero."""
    marked = np.full((len(digests), SORTABLE.itemsize), 1, np.uint8)
    marked[:, :-1] = digests.view(np.uint8).reshape(-1, ROW_DIGEST_BYTES)
    return marked.view(SORTABLE).reshape(-1)
