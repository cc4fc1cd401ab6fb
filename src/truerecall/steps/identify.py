"""Say which vectors these are, and refuse or leave out the ones that no distance is defined for.

One pass in blocks over each side. What is kept of a row is its digest, 16 bytes, where a ledger is wanted or ids are
given (their order decides the order of the ledger), and 8 bytes if it equals a query. A cache spares the pass over
files that nobody has touched since; what hangs on the queries is then found by the digests.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from truerecall.errors import InputError
from truerecall.kernels.fingerprint import ROW_DIGEST_BYTES, Digests, SetDigest, row_digests
from truerecall.model.distance import Distance
from truerecall.model.ledger import Ledger
from truerecall.model.neighbors import Neighbors
from truerecall.model.progress import SILENT, Progress
from truerecall.model.source import ArraySource, CorpusSource
from truerecall.model.subject import Subject
from truerecall.model.truth import Upkeep
from truerecall.model.vectors import Corpus, FileStates, Fingerprint, QuerySet
from truerecall.steps.copies import Copies, Matches
from truerecall.steps.unusable import REFUSE_ALL, LeftOut, Policies, Unusable
from truerecall.store.file_states import unchanged
from truerecall.store.identities import IdentityCache, RowFacts

HAMMING = "hamming"
BLOCK_BYTES = 4 << 20
BLOCK_ROWS = 1 << 14
SETTLED_NS = 2 * 10**9
"""A file that was touched less than this before it was read could be touched again within the same tick of its clock,
unseen: what was found in it is not kept. The coarsest clock of a file system ticks every two seconds."""

LEDGER_BYTES = {"row": 80, "int64": 120, "uint64": 120, "string": 320}
"""For each row of the corpus, by the kind of its id: its record, while the truth is put together, written and read."""

Keeping = Literal["ledger", "nothing"]


@dataclass(frozen=True, eq=False)
class Identity:
    """Which vectors one side is, all rows included, and which of them were left out. ``ledger`` is None where it was
    not kept."""

    fingerprint: Fingerprint
    left_out: LeftOut
    ledger: Ledger | None = None


@dataclass(frozen=True, eq=False)
class Identities:
    """Both sides of a measurement, and which rows are copies of queries."""

    corpus: Identity
    queries: Identity
    copies: Copies

    def subject(self, distance: Distance, model: str | None = None) -> Subject:
        return Subject(distance.name, self.corpus.fingerprint, self.queries.fingerprint, model)


def identify(
    corpus: Corpus,
    queries: QuerySet,
    distance: Distance,
    *,
    policies: Policies = REFUSE_ALL,
    keep: Keeping = "ledger",
    cache: IdentityCache | None = None,
    progress: Progress = SILENT,
) -> Identities:
    """Which vectors both sides are. Raises InputError where the distance is not defined for one of them and the policy
    is to refuse. Queries of another element type are compared with rows in the corpus's own.

    ``keep``: what is kept of rows that are called by their numbers. ``cache``: what was found in the files of the
    corpus before, if they are still the same; it is written to.
    """
    for side in (corpus.source, queries):
        demand_bits(side, distance)
    asked = Unusable(queries.name, "query", distance)
    questions = Corpus(ArraySource(queries.vectors, queries.name), queries.given_ids)
    identity = _Pass(questions, asked, keep, None).identity(policies, SILENT)
    matches = Matches(queries, corpus.source.dtype)
    searched = _Pass(corpus, Unusable(corpus.source.name, "row", distance), keep, cache, matches)
    return Identities(searched.identity(policies, progress), identity, matches.copies())


def upkeep_of(sides: Identities, slack: Neighbors) -> Upkeep | None:
    """What a truth of both sides keeps; None where they keep no ledger."""
    if sides.corpus.ledger is None or sides.queries.ledger is None:
        return None
    return Upkeep(sides.corpus.ledger, sides.queries.ledger, slack)


def ledger_bytes(corpus: Corpus) -> int:
    """What the ledger of a corpus takes at most."""
    return corpus.source.rows * LEDGER_BYTES[corpus.id_kind]


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


@dataclass(frozen=True, eq=False)
class _Pass:
    """A pass over one side, or over what is kept of it."""

    side: Corpus
    unusable: Unusable
    keep: Keeping
    cache: IdentityCache | None
    matches: Matches | None = None

    def identity(self, policies: Policies, progress: Progress) -> Identity:
        source, ids = self.side.source, self.side.given_ids
        files = None if self.cache is None else self.side.files
        known = self._known(files)
        if known is not None:
            progress.say(f"{source.name} was not touched since it was read: its identity is known")
        began_ns = time.time_ns()
        streamed = known is None and files is None and ids is None and self.keep == "nothing"
        digest = SetDigest(self.side.id_kind, source.dimensions, source.dtype.name) if streamed else None
        kept = np.empty(0 if streamed else source.rows, np.dtype((np.void, ROW_DIGEST_BYTES)))
        for start, digests in self._digests(progress) if known is None else [(0, known.digests)]:
            if self.matches is not None:
                self.matches.look(start, digests)
            if digest is None:
                kept[start : start + len(digests)] = digests
            else:
                digest.add(np.arange(start, start + len(digests)), digests)
        if known is not None:
            self.unusable.recall(known.unusable)
        elif self.cache is not None and files is not None and _settled(files, began_ns):
            self.cache.keep(files, self.unusable.looked_for, RowFacts(kept, self.unusable.found()))
        left_out = self.unusable.settle(policies, source.rows)
        if digest is not None:
            shape = (source.rows, source.dimensions, source.dtype.name, self.side.id_kind)
            return Identity(Fingerprint(digest.hexdigest(), *shape), left_out)
        ledger = Ledger.of_rows(ids, kept)
        fingerprint = ledger.fingerprint(source.dimensions, source.dtype.name)
        return Identity(fingerprint, left_out, ledger if self.keep == "ledger" else None)

    def _known(self, files: FileStates | None) -> RowFacts | None:
        if self.cache is None or files is None or not unchanged(files):
            return None
        known = self.cache.kept(files, self.unusable.looked_for)
        return known if known is not None and len(known.digests) == self.side.source.rows else None

    def _digests(self, progress: Progress) -> Iterator[tuple[int, Digests]]:
        """Of every block, as it is looked at."""
        source = self.side.source
        progress.start(f"reading {source.name}", source.rows, "rows")
        row_bytes = source.dimensions * source.dtype.itemsize
        for start, block in source.blocks(max(1, min(BLOCK_ROWS, BLOCK_BYTES // row_bytes))):
            self.unusable.look(start, block)
            yield start, row_digests(block)
            progress.advance(len(block))


def _settled(files: FileStates, began_ns: int) -> bool:
    """Whether what was read is what the files hold as long as their states are these."""
    touched = max(max(state.modified_ns, state.changed_ns) for state in files.files)
    return touched + SETTLED_NS <= began_ns and unchanged(files)
