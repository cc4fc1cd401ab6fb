"""What came of recomputing a truth by other means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Disagreement:
    """The first thing in which a truth and the second opinion differ for one query.

    ``kind``: ``length``, ``eligible``, ``id``, ``distance``, ``order``, ``nearer`` or ``tied``. ``row``: the id that
    it is about, None where it is about none. ``stored`` and ``found``: what the truth says and what was recomputed.
    """

    query: Any
    kind: str
    row: Any
    stored: float | None
    found: float | None
    message: str


@dataclass(frozen=True)
class Verification:
    """``checked`` of ``queries`` were recomputed and ``agreed`` of those agree.

    ``largest_difference``: the largest between a stored distance and the recomputed one; ``tolerance`` says in words
    what is allowed. ``state``: that of the truth after this. ``first``: the first disagreement, with its likely
    ``cause`` where a pattern shows one.
    """

    queries: int
    checked: int
    agreed: int
    seed: int | None
    tolerance: str
    largest_difference: float
    state: str
    first: Disagreement | None
    cause: str | None

    @property
    def bound(self) -> float | None:
        """With 95 % confidence, at most this share of all queries is wrong; None where all were checked, or some
        disagree."""
        if self.first is not None or self.checked == self.queries:
            return None
        return min(1.0, 3 / self.checked)


@dataclass(frozen=True)
class EngineOpinion:
    """What an engine's own exhaustive search said of a truth. Of the ``asked`` queries it named the ``same`` rows, or
    others ``as_near``; of those that are ``apart`` the ``first`` is told. It changes nothing of the truth.

    ``server``: where it was searched, in words.
    """

    engine: str
    server: str
    asked: int
    same: int
    as_near: int
    apart: int
    first: str
