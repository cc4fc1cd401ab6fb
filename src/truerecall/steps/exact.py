"""Find the exact nearest rows: the fast scan first, then the slow one for the queries that it does not prove."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.model.progress import Progress
from truerecall.scan.direct import nothing_known, scan_direct
from truerecall.scan.problem import Found, Problem
from truerecall.scan.proposing import ProposingScan


@dataclass(frozen=True)
class Effort:
    """How a truth was computed: provenance, never content."""

    method: str
    candidates_per_query: float
    queries_scanned_again: int


def exact_nearest(problem: Problem, progress: Progress) -> tuple[Found, Effort]:
    """The nearest eligible rows of every query, every list proved."""
    known, method = nothing_known(problem), "float64 for every pair"
    if problem.eligibility.allowed is None and bool((problem.eligible() >= problem.k).any()):
        progress.start("scanning", problem.corpus.source.rows, "rows")
        with ProposingScan(problem) as scan:
            done = 0
            for rows in scan.blocks():
                progress.advance(rows - done)
                done = rows
            known, method = scan.found(), f"{scan.method}, float64 finish"
    again = np.flatnonzero(~known.proved)
    found = scan_direct(problem, known, again, progress)
    return found, Effort(method, round(known.candidates / len(problem.queries), 1), len(again))
