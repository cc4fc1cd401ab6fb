"""Find the exact nearest rows within a budget of memory: group by group where not all queries fit."""

from __future__ import annotations

import hashlib
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
from truerecall.scan.problem import Found, Problem
from truerecall.steps.nearest import Kept, nearest_of_group
from truerecall.store.artefact import canonical_json
from truerecall.store.scan_journal import ScanJournal


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
        kept = None if journal is None else Kept(journal, f"{key}-{budget.group}-{number}")
        tell = len(problem.queries) if number == 0 else 0
        found, method = nearest_of_group(group, budget.listed_rows, kept, tell, progress)
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


def _groups(budget: Budget) -> Iterator[Problem]:
    problem = budget.problem
    for start in range(0, len(problem.queries), budget.group):
        part = slice(start, start + budget.group)
        queries = QuerySet(problem.queries.vectors[part], problem.queries.ids[part], problem.queries.name)
        yield replace(problem, queries=queries, eligibility=problem.eligibility.of_queries(part))


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
