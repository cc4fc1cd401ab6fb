"""Every check on the shelf and what came of it over some curves: also of those that nobody asked, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from truerecall.model.check import code_of
from truerecall.report.parts import CheckRow, Trust
from truerecall.shelf import checks
from truerecall.steps.check import subject_of

What = Literal["fired", "cannot tell", "passed", "not asked"]
ORDER: tuple[What, ...] = ("fired", "cannot tell", "passed", "not asked")
VECTORS = "give --corpus and --queries"
NEEDS = {
    "corpus_shape": VECTORS,
    "query_shape": VECTORS,
    "trials": VECTORS,
    "rivals": VECTORS,
    "returned": "of answers from elsewhere: truerecall score",
    "reported": "of answers from elsewhere: truerecall score",
    "labels": "give --labels",
    "curve": "give runs of a sweep",
    "curves": "give two curves",
    "comparison": "of two sides: truerecall compare",
    "sides": "of two sides: truerecall compare",
}
"""What a check is about -> what would let it be asked."""


@dataclass(frozen=True)
class Listed:
    """A check, what it looks for, and what came of it; ``passed``, ``fired`` and ``cannot_tell`` count points."""

    code: str
    title: str
    outcome: What
    passed: int
    fired: int
    cannot_tell: int
    reasons: tuple[str, ...]


def listed_checks(trust: Trust) -> tuple[Listed, ...]:
    """By what came of them, and then by name. A check that fired anywhere has fired, and one that could not tell
    everywhere has not passed."""
    rows = {row.code: row for row in trust.checks}
    shelf = {code_of(name): checks.get(name) for name in checks.names()}
    told = [_listed(row, shelf[row.code].title if row.code in shelf else "") for row in rows.values()]
    silent = [
        Listed(code, own.title, "not asked", 0, 0, 0, (NEEDS.get(subject_of(own), f"needs {subject_of(own)}"),))
        for code, own in shelf.items()
        if code not in rows
    ]
    return tuple(sorted([*told, *silent], key=lambda one: (ORDER.index(one.outcome), one.code)))


def counted(listed: Sequence[Listed]) -> dict[What, int]:
    """How many checks came to what, in this order: fired, passed, could not tell, not asked."""
    order: tuple[What, ...] = ("fired", "passed", "cannot tell", "not asked")
    return {what: sum(one.outcome == what for one in listed) for what in order}


def _listed(row: CheckRow, title: str) -> Listed:
    outcome: What = "fired" if row.fired else "passed" if row.passed else "cannot tell"
    return Listed(row.code, title, outcome, row.passed, row.fired, row.cannot_tell, row.reasons)
