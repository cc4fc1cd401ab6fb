"""Say which vectors these are, and refuse the ones that no distance is defined for."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from truerecall.errors import InputError
from truerecall.kernels.distances import LARGEST_VALUE, squared_lengths
from truerecall.kernels.fingerprint import ROW_DIGEST_BYTES, Digests, Ledger, row_digests
from truerecall.model.arrays import Ids, Integers, Vectors
from truerecall.model.distance import Distance
from truerecall.model.ids import id_kind, row_numbers
from truerecall.model.progress import SILENT, Progress
from truerecall.model.source import ArraySource, CorpusSource
from truerecall.model.subject import Subject
from truerecall.model.vectors import Corpus, Fingerprint, QuerySet

HAMMING = "hamming"
BLOCK_BYTES = 4 << 20
SHORTEST_SQUARE = 1e-280
"""Below this the square of a length loses digits to underflow; under cosine such a vector counts as zero."""


@dataclass(frozen=True, eq=False)
class Identity:
    """Which vectors these are: the fingerprint of the set and the digest of each row, in the order of rows."""

    fingerprint: Fingerprint
    digests: Digests


@dataclass(frozen=True, eq=False)
class Identities:
    """Both sides of a measurement."""

    corpus: Identity
    queries: Identity

    def subject(self, distance: Distance) -> Subject:
        return Subject(distance.name, self.corpus.fingerprint, self.queries.fingerprint)


def identify(corpus: Corpus, queries: QuerySet, distance: Distance, *, progress: Progress = SILENT) -> Identities:
    """Which vectors both sides are; raises InputError where the distance is not defined for one of them."""
    for side in (corpus.source, queries):
        if side.bits is not None and distance.name != HAMMING:
            raise InputError(
                f"{side.name} holds {side.bits} bits in each row, which have no {distance.name} distance",
                f"use the distance {HAMMING}",
            )
        if distance.name == HAMMING and side.dtype != np.uint8:
            raise InputError(
                f"{side.name} holds {side.dtype.name} and the distance {HAMMING} is of bits",
                "give bool, or uint8 with eight bits packed into each",
            )
    asked = identify_queries(queries, distance)
    return Identities(identify_corpus(corpus, distance, progress=progress), asked)


def identify_corpus(corpus: Corpus, distance: Distance, *, progress: Progress = SILENT) -> Identity:
    """One pass over the corpus. Raises InputError where a row holds NaN, infinity, or no direction under cosine."""
    return _identify(corpus.source, corpus.given_ids, distance, "row", progress)


def identify_queries(queries: QuerySet, distance: Distance) -> Identity:
    """The same for the queries."""
    source = ArraySource(queries.vectors, queries.name)
    return _identify(source, queries.given_ids, distance, "query", SILENT)


def copies_of(queries: QuerySet, query_digests: Digests, corpus: Corpus, corpus_digests: Digests) -> Integers:
    """For each query how many rows of the corpus hold the same values.

    Queries of another element type are compared in the corpus's own; one that it cannot hold equals no row.
    """
    digests, comparable = query_digests, np.ones(len(queries), bool)
    if queries.dtype != corpus.source.dtype:
        with np.errstate(all="ignore"):
            cast = queries.vectors.astype(corpus.source.dtype)
        comparable = np.asarray((cast.astype(np.float64) == queries.vectors.astype(np.float64)).all(axis=1))
        digests = row_digests(cast)
    # Void arrays do not sort; as byte strings they do, once they end in a byte that is not zero.
    rows, counts = np.unique(_sortable(corpus_digests), return_counts=True)
    wanted = _sortable(digests)
    place = np.minimum(np.searchsorted(rows, wanted), len(rows) - 1)
    found = (rows[place] == wanted) & comparable
    return np.where(found, counts[place], 0).astype(np.int64)


def _identify(source: CorpusSource, ids: Ids | None, distance: Distance, row_word: str, progress: Progress) -> Identity:
    block_rows = max(1, BLOCK_BYTES // (source.dimensions * source.dtype.itemsize))
    digests = np.empty(source.rows, np.dtype((np.void, ROW_DIGEST_BYTES)))
    unusable = _Unusable(source.name, row_word, distance)
    progress.start(f"reading {source.name}", source.rows, "rows")
    for start, block in source.blocks(block_rows):
        unusable.look(start, block)
        digests[start : start + len(block)] = row_digests(block)
        progress.advance(len(block))
    unusable.refuse()
    kind = id_kind(ids)
    ledger = Ledger(f"{kind} {source.dimensions} {source.dtype.name}\n")
    if ids is None:
        ledger.add(row_numbers(source.rows), digests)
    else:
        order = np.argsort(ids, kind="stable")
        ledger.add(ids[order], digests[order])
    fingerprint = Fingerprint(ledger.digest(), source.rows, source.dimensions, source.dtype.name, kind)
    return Identity(fingerprint, digests)


@dataclass(eq=False)
class _Unusable:
    """Collects the rows that no distance is defined for, so that the message can name them."""

    name: str
    row_word: str
    distance: Distance
    not_finite: list[int] = field(default_factory=list)
    without_direction: list[int] = field(default_factory=list)

    def look(self, start: int, block: Vectors) -> None:
        # bfloat16, which NumPy does not have itself, is of the kind V.
        if block.dtype.kind in "fV":
            good = np.asarray(np.isfinite(block).all(axis=1))
            if block.dtype == np.float64:
                good &= (np.abs(block) <= LARGEST_VALUE).all(axis=1)
            self.not_finite += (start + np.flatnonzero(~good)).tolist()
            block = np.where(good[:, None], block, block.dtype.type(1)) if not good.all() else block
        if not self.distance.zero_vectors_defined:
            short = squared_lengths(block) < SHORTEST_SQUARE
            self.without_direction += (start + np.flatnonzero(short)).tolist()

    def refuse(self) -> None:
        if self.not_finite:
            where = _listed(self.row_word, self.not_finite)
            raise InputError(
                f"{self.name}: {where} NaN, infinity or values beyond {LARGEST_VALUE:g}",
                "take these vectors out or mend them",
            )
        if self.without_direction:
            where = _listed(self.row_word, self.without_direction)
            raise InputError(
                f"{self.name}: {where} only zeros, and the {self.distance.name} distance of a zero vector is undefined",
                "take these vectors out, or use l2 or ip",
            )


def _listed(word: str, rows: list[int]) -> str:
    shown = ", ".join(str(row) for row in rows[:5])
    if len(rows) == 1:
        return f"{word} {shown} holds"
    plural = {"row": "rows", "query": "queries"}[word]
    more = f" and {len(rows) - 5} more" if len(rows) > 5 else ""
    return f"{len(rows)} {plural} ({shown}{more}) hold"


def _sortable(digests: Digests) -> np.ndarray[tuple[int], np.dtype[np.bytes_]]:
    marked = np.full((len(digests), ROW_DIGEST_BYTES + 1), 1, np.uint8)
    marked[:, :-1] = digests.view(np.uint8).reshape(-1, ROW_DIGEST_BYTES)
    return marked.view(f"S{ROW_DIGEST_BYTES + 1}").reshape(-1)
