"""Exact neighbours to a depth and some rows deeper, with the counts at the depth itself.

The deeper rows are slack: what keeps a list whole when rows of it are removed. The counts of what lies nearer than the
cut and of what ties with it range over the whole corpus. Where the tie band at the cut ends before the last row that
was found, they can be taken from what was found; the few other queries are counted by a scan that goes no deeper.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from truerecall.kernels.exact import Pairs
from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.model.progress import Progress
from truerecall.model.subject import Subject
from truerecall.model.vectors import QuerySet
from truerecall.scan.problem import Found, Problem
from truerecall.steps.eligible import eligibility_for
from truerecall.steps.exact import Effort, exact_nearest, search_key
from truerecall.store.scan_journal import ScanJournal

LEAST_SLACK = 10
COUNTED_AT_ONCE = 1 << 20
"""Neighbours that are counted at a time."""


@dataclass(frozen=True, eq=False)
class Deep:
    """``nearest`` to ``depth``; ``nearer`` and ``tied`` as counted at the cut of the problem's k."""

    nearest: Pairs
    depth: int
    nearer: Integers
    tied: Integers
    effort: Effort


@dataclass(frozen=True, eq=False)
class Counts:
    """``nearer`` and ``tied`` of each query from its list alone, and for which queries that ``whole``."""

    nearer: Integers
    tied: Integers
    whole: Booleans


def default_slack(k: int) -> int:
    """How many rows beyond k are kept where nobody says otherwise."""
    return max(LEAST_SLACK, k // 10)


def deep_nearest(
    problem: Problem,
    slack: int,
    subject: Subject,
    *,
    memory_bytes: int | None,
    reserved_bytes: int,
    journal: ScanJournal | None,
    progress: Progress,
) -> Deep:
    """The nearest rows of every query to k and at most ``slack`` beyond it, no deeper than every query that has k rows
    can go. ``subject`` is that of the corpus and the queries of the problem. Raises InputError where the budget is too
    small."""
    eligible = problem.eligible()
    enough = eligible[eligible >= problem.k]
    depth = min(problem.k + slack, int(enough.min())) if len(enough) else problem.k
    deeper = replace(problem, k=depth)

    def found_of(part: Problem) -> tuple[Found, Effort]:
        return exact_nearest(
            part,
            key=search_key(part, subject),
            memory_bytes=memory_bytes,
            reserved_bytes=reserved_bytes,
            journal=journal,
            progress=progress,
        )

    found, effort = found_of(deeper)
    distances = problem.distances(found.nearest.keys)
    # Where the list ends at the distance of the cut, its counts are those of the cut.
    ends = found.nearest.starts[1:] - 1
    level = distances[ends] == distances[cuts_of(found.nearest.starts, problem.k)]
    counts = counts_of(problem, found.nearest.starts, distances, found.nearest.counts() >= eligible)
    nearer, tied = np.where(level, found.nearer, counts.nearer), np.where(level, found.tied, counts.tied)
    open_ones = np.flatnonzero(~(level | counts.whole))
    if len(open_ones):
        recounted, more = found_of(only(problem, open_ones))
        nearer[open_ones], tied[open_ones] = recounted.nearer, recounted.tied
        effort = replace(effort, passes=effort.passes + more.passes)
    return Deep(found.nearest, depth, nearer, tied, effort)


def only(problem: Problem, places: Integers) -> Problem:
    """The same for the queries at ``places`` alone."""
    queries = problem.queries
    few = QuerySet(queries.vectors[places], queries.ids[places], queries.name, queries.bits)
    return replace(problem, queries=few, eligibility=eligibility_for(problem.eligibility, places))


def cuts_of(starts: Integers, k: int) -> Integers:
    """Where the row at the cut of each list stands: the k-th, or the last of a list that is shorter."""
    return np.minimum(starts[:-1] + k, starts[1:]) - 1


def counts_of(
    problem: Problem, starts: Integers, distances: Floats, complete: Booleans, horizons: Floats | None = None
) -> Counts:
    """What can be counted from lists that are not empty and hold their rows in order.

    Beyond its list a query has no row where it is ``complete``, and else none nearer than its horizon, which is the
    last distance of the list where no ``horizons`` are given.
    """
    cuts = distances[cuts_of(starts, problem.k)]
    bands = problem.bands(cuts)
    horizon = distances[starts[1:] - 1] if horizons is None else horizons
    nearer, tied = np.zeros((2, len(cuts)), np.int64)
    lengths = np.diff(starts)
    step = max(1, COUNTED_AT_ONCE // int(lengths.max(initial=1)))
    for first in range(0, len(cuts), step):
        part = slice(first, first + step)
        begin, end = starts[first], starts[min(first + step, len(cuts))]
        offset = distances[begin:end] - np.repeat(cuts[part], lengths[part])
        band = np.repeat(bands[part], lengths[part])
        edges = starts[:-1][part] - begin
        nearer[part] = np.add.reduceat((offset < -band).astype(np.int64), edges)
        tied[part] = np.add.reduceat((np.abs(offset) <= band).astype(np.int64), edges)
    return Counts(nearer, tied, complete | (horizon - cuts > bands))
