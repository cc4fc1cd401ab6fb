"""Answers of any system after they were judged."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.believed import Believed
from truerecall.model.finding import CheckOutcome
from truerecall.model.score import Score


@dataclass(frozen=True, eq=False)
class Judged(Believed):
    """``scores`` at depth ``k`` of what was asked for at depth ``asked_k``; with an invalid finding there are none.

    ``name``: of the answers. ``remarks``: how they were read, in words.
    """

    name: str
    k: int
    asked_k: int
    queries: int
    scores: tuple[Score, ...]
    checks: tuple[CheckOutcome, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rival:
    """Something else that the answers fit: what it is, what to do if it is meant, and the recall that they would have
    there, beside their ``own`` on the same queries."""

    told: str
    remedy: str
    recall: float
    own: float


@dataclass(frozen=True)
class Reported:
    """What the numbers beside the answers are. ``agree`` of the ``total`` that could be held against true distances are
    ours written as ``scale``; ``own``: whether that is the scale on which we write. ``other``: the other distance and
    the scale under which they agree, None where there is none or nobody could look."""

    distance: str
    scale: str
    own: bool
    agree: int
    total: int
    other: tuple[str, str] | None = None

    @property
    def fits(self) -> bool:
        return self.agree >= FITTING * self.total


FITTING = 0.95
"""From this share on numbers count as agreeing: engines may hold a few rows in a compressed form."""
