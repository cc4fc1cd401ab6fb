"""The exact nearest rows of a group of queries: the fast scans first, then the slow one for what they do not prove.

Where a scan stands is kept every few seconds, so that an interrupted one goes on; what is found does not depend on it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from truerecall.model.arrays import Integers
from truerecall.model.progress import Progress
from truerecall.scan.direct import scan_direct
from truerecall.scan.finish import merged, nothing_known
from truerecall.scan.problem import Found, Problem
from truerecall.scan.proposing import ProposingScan
from truerecall.scan.shortlist import DEEPEST, ShortlistScan, Unsuited, spare_for
from truerecall.steps.calibration import prefers_shortlist
from truerecall.store.scan_journal import ScanJournal

SECONDS_BETWEEN_STATES = 2.0
LONG_WORK, VERY_LONG_WORK = 1e11, 2e12
"""Multiplications from which a plan is told before the work; from the first on only where the rehearsal is a small part
of it."""

MANY_ROWS = 200_001
"""Rows of which a rehearsal is a small part."""

MORE_SPARE = 8
"""How many times longer the spare part of a shortlist gets for the queries that it did not prove."""

FEW = 0.1
"""A larger share of the queries not proved says that a shortlist is the wrong way."""


class Scan(Protocol):
    """One pass over the corpus: ``for rows in scan.blocks(): ...``, then ``found()``."""

    @property
    def method(self) -> str: ...
    @property
    def next_row(self) -> int: ...
    def rehearse(self) -> int: ...
    def blocks(self) -> Iterator[int]: ...
    def found(self) -> Found: ...
    def state(self) -> dict[str, NDArray[Any]]: ...
    def restore(self, state: Mapping[str, NDArray[Any]]) -> None: ...


@dataclass(frozen=True)
class Kept:
    """Where the state of a scan is kept, and under which name."""

    journal: ScanJournal
    key: str

    def of(self, scan: str, queries: Integers) -> Kept:
        """The same for a scan of the ``queries`` at these places alone. Which ones a scan before left over hangs on
        roundings, and so on threads and blocks: a state of others would be taken for theirs."""
        digest = hashlib.blake2b(np.ascontiguousarray(queries, "<i8").tobytes(), digest_size=8)
        return Kept(self.journal, f"{self.key}-{scan}-{digest.hexdigest()}")


def nearest_of_group(
    problem: Problem, listed_rows: int, kept: Kept | None, tell: int, progress: Progress
) -> tuple[Found, str]:
    """What is found for a group, and how. ``listed_rows``: the rows of a block for a shortlist, 0 where it may not be
    used. Where this is the first group of ``tell`` queries, their plan is told first."""
    known, methods = nothing_known(problem), list[str]()
    if problem.eligibility.allowed is None and bool((problem.eligible() >= problem.k).any()):
        if listed_rows and prefers_shortlist(problem):
            listed = _by_shortlist(replace(problem, block_rows=listed_rows), kept, tell, progress)
            if listed is not None:
                known = listed
                methods.append(ShortlistScan.method)
        if not known.proved.all():
            known = _by_proposing(problem, known, methods, kept, 0 if methods else tell, progress)
    wanted = np.flatnonzero(~known.proved)
    if not methods:
        return scan_direct(problem, known, wanted, progress), "float64 for every pair"
    return scan_direct(problem, known, wanted, progress), f"{', '.join(methods)}, float64 finish"


def _by_shortlist(problem: Problem, kept: Kept | None, tell: int, progress: Progress) -> Found | None:
    """What shortlists find, each longer one for the queries that the one before did not prove; None where the vectors
    do not suit."""
    known, wanted, spare = None, np.arange(len(problem.queries)), spare_for(problem.k)
    while known is None or (0 < len(wanted) <= FEW * len(problem.queries) and problem.k + spare <= DEEPEST):
        part = problem if known is None else problem.of_queries(wanted)
        try:
            with ShortlistScan(part, spare) as scan:
                _run(scan, part, kept and kept.of(f"shortlist-{spare}", wanted), 0 if known else tell, progress)
                found = scan.found()
        except Unsuited:
            return None
        known = _first(found) if known is None else merged(problem, known, wanted, found)
        wanted = np.flatnonzero(~known.proved)
        spare *= MORE_SPARE
    return known


def _by_proposing(
    problem: Problem, known: Found, methods: list[str], kept: Kept | None, tell: int, progress: Progress
) -> Found:
    """What is known with the queries that are not proved scanned by proposals."""
    wanted = np.flatnonzero(~known.proved)
    part = problem.of_queries(wanted) if methods else problem
    with ProposingScan(part) as scan:
        _run(scan, part, kept and kept.of("proposing", wanted), tell, progress)
        found = scan.found()
    first = not methods
    methods.append(scan.method)
    return _first(found) if first else merged(problem, known, wanted, found)


def _first(found: Found) -> Found:
    """What the first scan has found, which tells how many queries another must look at."""
    return replace(found, scanned_again=int((~found.proved).sum()))


def _run(scan: Scan, problem: Problem, kept: Kept | None, tell: int, progress: Progress) -> None:
    """Scan all blocks. Where the scan stands is kept every few seconds, between blocks: in the middle of one, half of
    its pairs would be found twice."""
    if tell:
        _tell_plan(problem, scan, tell, progress)
    progress.start("scanning", problem.corpus.source.rows, "rows")
    state = None if kept is None else kept.journal.kept(kept.key)
    if state is not None:
        scan.restore(state)
        progress.say(f"going on at row {scan.next_row:,}")
        progress.advance(scan.next_row)
    last = time.perf_counter()
    done = scan.next_row
    for reached in scan.blocks():
        progress.advance(reached - done)
        done = reached
        if kept is not None and time.perf_counter() - last > SECONDS_BETWEEN_STATES:
            kept.journal.keep(kept.key, scan.state())
            last = time.perf_counter()


def _tell_plan(problem: Problem, scan: Scan, queries: int, progress: Progress) -> None:
    """One line before long work: how much there is, and how long it will take by a rehearsal on a block.

    ``problem`` is of the first group of all the ``queries``.
    """
    source = problem.corpus.source
    work = float(queries) * source.rows * source.dimensions
    if work < (LONG_WORK if source.rows >= MANY_ROWS else VERY_LONG_WORK):
        return
    scan.rehearse()  # the first time threads and buffers are made
    begun = time.perf_counter()
    rehearsed = scan.rehearse()
    seconds = (time.perf_counter() - begun) * source.rows / max(1, rehearsed) * queries / len(problem.queries)
    passes = -(-queries // len(problem.queries))
    gigabytes = source.rows * source.dimensions * source.dtype.itemsize / 1e9
    progress.say(
        f"plan: {source.rows:,} rows of {source.dimensions} {source.dtype} ({gigabytes:.2f} GB) {passes} times over,"
        f" {queries:,} queries, {work:.1e} multiplications in blocks of {problem.block_rows:,} rows by {scan.method}:"
        f" about {seconds:.0f} s"
    )
