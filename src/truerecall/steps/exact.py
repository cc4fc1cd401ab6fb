"""Find the exact nearest rows: the fast scan first, then the slow one for the queries that it does not prove.

Queries are worked on in groups where memory demands it. Where the scan stands is kept every few seconds, so that an
interrupted one goes on; the content does not depend on any of this.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from truerecall import __version__, machine
from truerecall.kernels.exact import Pairs
from truerecall.model.ids import order_digest
from truerecall.model.progress import Progress
from truerecall.model.subject import Subject
from truerecall.model.vectors import QuerySet
from truerecall.scan.budget import Budget, within
from truerecall.scan.direct import nothing_known, scan_direct
from truerecall.scan.problem import Found, Problem
from truerecall.scan.proposing import ProposingScan
from truerecall.store.artefact import canonical_json
from truerecall.store.scan_journal import ScanJournal

SECONDS_BETWEEN_STATES = 2.0
LONG_WORK = 2e10
"""Multiplications from which a plan is told before the work."""


@dataclass(frozen=True)
class Effort:
    """How a truth was computed: provenance, never content."""

    method: str
    candidates_per_query: float
    queries_scanned_again: int
    memory_bytes: int
    passes: int


def exact_nearest(
    problem: Problem,
    *,
    key: str,
    memory_bytes: int | None,
    reserved_bytes: int = 0,
    journal: ScanJournal | None,
    progress: Progress,
) -> tuple[Found, Effort]:
    """The nearest eligible rows of every query, every list proved.

    ``key`` says what is searched for, so that a kept state of another search is never taken up. ``reserved_bytes`` of
    the budget are taken by what the caller holds. Raises InputError where the budget is too small.
    """
    budget = within(problem, memory_bytes or machine.memory_bytes() // 4, reserved_bytes)
    parts, methods = [], set[str]()
    for number, group in enumerate(_groups(budget)):
        kept = None if journal is None else _Kept(journal, f"{key}-{budget.group}-{number}")
        found, method = _nearest_of_group(group, kept, len(problem.queries) if number == 0 else 0, progress)
        parts.append(found)
        methods.add(method)
    found = _joined(parts)
    again = sum(part.scanned_again for part in parts)
    effort = Effort(
        " and ".join(sorted(methods)),
        round(found.candidates / len(problem.queries), 1),
        again,
        budget.bytes,
        len(parts),
    )
    return found, effort


def search_key(problem: Problem, subject: Subject) -> str:
    """What is searched for, as a name for the journal's file."""
    # Another version may bound its numbers otherwise. What is kept speaks of rows and queries by their numbers, and
    # the subject does not know their order.
    orders = [order_digest(problem.corpus.given_ids), order_digest(problem.queries.given_ids)]
    digest = hashlib.blake2b(canonical_json([__version__, asdict(subject), problem.k, orders]), digest_size=16)
    eligibility = problem.eligibility
    arrays: dict[str, Any] = {"rows": eligibility.rows}
    for name, lists in (("allowed", eligibility.allowed), ("excluded", eligibility.excluded)):
        if lists is not None:
            arrays |= {name: lists.rows, f"{name} offsets": lists.offsets}
    for name, array in arrays.items():
        if array is not None:
            digest.update(name.encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class _Kept:
    journal: ScanJournal
    key: str


def _groups(budget: Budget) -> Iterator[Problem]:
    problem = budget.problem
    for start in range(0, len(problem.queries), budget.group):
        part = slice(start, start + budget.group)
        queries = QuerySet(problem.queries.vectors[part], problem.queries.ids[part], problem.queries.name)
        yield replace(problem, queries=queries, eligibility=problem.eligibility.of_queries(part))


def _nearest_of_group(problem: Problem, kept: _Kept | None, tell: int, progress: Progress) -> tuple[Found, str]:
    """What is found for a group, and how. Where this is the first of ``tell`` queries, their plan is told first."""
    known, method = nothing_known(problem), "float64 for every pair"
    if problem.eligibility.allowed is None and bool((problem.eligible() >= problem.k).any()):
        with ProposingScan(problem) as scan:
            method = f"{scan.method}, float64 finish"
            if tell:
                _tell_plan(problem, scan, tell, progress)
            _run(scan, problem.corpus.source.rows, kept, progress)
            known = scan.found()
    again = np.flatnonzero(~known.proved)
    return replace(scan_direct(problem, known, again, progress), scanned_again=len(again)), method


def _run(scan: ProposingScan, rows: int, kept: _Kept | None, progress: Progress) -> None:
    """Scan all blocks. Where the scan stands is kept every few seconds, between blocks: in the middle of one, half of
    its pairs would be found twice."""
    progress.start("scanning", rows, "rows")
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


def _tell_plan(problem: Problem, scan: ProposingScan, queries: int, progress: Progress) -> None:
    """One line before long work: how much there is, and how long it will take by a rehearsal on a block.

    ``problem`` is of the first group of all the ``queries``.
    """
    source = problem.corpus.source
    work = float(queries) * source.rows * source.dimensions
    if work < LONG_WORK:
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


def _joined(parts: list[Found]) -> Found:
    if len(parts) == 1:
        return parts[0]
    pairs = [part.nearest for part in parts]
    queries = np.cumsum([0] + [len(p.starts) - 1 for p in pairs])
    places = np.cumsum([0] + [len(p.rows) for p in pairs])
    return Found(
        Pairs(
            np.concatenate([p.queries + first for p, first in zip(pairs, queries[:-1], strict=True)]),
            np.concatenate([p.rows for p in pairs]),
            np.concatenate([p.keys for p in pairs]),
            np.concatenate([[0], *(p.starts[1:] + first for p, first in zip(pairs, places[:-1], strict=True))]),
        ),
        np.concatenate([part.nearer for part in parts]),
        np.concatenate([part.tied for part in parts]),
        np.concatenate([part.proved for part in parts]),
        sum(part.candidates for part in parts),
        sum(part.scanned_again for part in parts),
    )
