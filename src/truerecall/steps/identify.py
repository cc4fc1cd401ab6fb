"""Say which vectors these are, and refuse or leave out the ones that no distance is defined for.

One pass in blocks over each side. What is kept of a row is 16 bytes where ids are given (their order decides the
order of the ledger) and nothing where it is called by its number; and 8 bytes if it equals a query.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from truerecall.errors import InputError
from truerecall.kernels.fingerprint import ROW_DIGEST_BYTES, Digests, Ledger, row_digests
from truerecall.model.arrays import Ids
from truerecall.model.distance import Distance
from truerecall.model.ids import id_kind
from truerecall.model.progress import SILENT, Progress
from truerecall.model.source import ArraySource, CorpusSource
from truerecall.model.subject import Subject
from truerecall.model.vectors import Corpus, Fingerprint, QuerySet
from truerecall.steps.copies import Copies, Matches
from truerecall.steps.unusable import REFUSE_ALL, LeftOut, Policies, Unusable

HAMMING = "hamming"
BLOCK_BYTES = 4 << 20
BLOCK_ROWS = 1 << 14
LEDGER_ROWS = 1 << 16


@dataclass(frozen=True, eq=False)
class Identity:
    """Which vectors one side is, all rows included, and which of them were left out."""

    fingerprint: Fingerprint
    left_out: LeftOut


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
    for side in (corpus.source, queries):
        demand_bits(side, distance)
    asked = _identify(
        ArraySource(queries.vectors, queries.name),
        queries.given_ids,
        Unusable(queries.name, "query", distance),
        policies,
    )
    matches = Matches(queries, corpus.source.dtype)
    unusable = Unusable(corpus.source.name, "row", distance)
    searched = _identify(corpus.source, corpus.given_ids, unusable, policies, progress, matches.look)
    return Identities(searched, asked, matches.copies())


def demand_bits(side: CorpusSource | QuerySet, distance: Distance) -> None:
    """Raises InputError where bits meet another distance than hamming, or hamming meets something else."""
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
