"""What a second look asks of the corpus, and what it sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerecall.model.arrays import Floats, Integers, Vectors
from truerecall.model.eligibility import EVERYTHING, Eligibility
from truerecall.model.source import CorpusSource


@dataclass(frozen=True, eq=False)
class Question:
    """What is looked at. ``places``: of the queries of the eligibility, those that are asked; ``vectors``: theirs.

    ``change`` is applied to every vector of both sides first, ``below`` leaves out all rows from that number on.
    """

    source: CorpusSource
    vectors: Vectors
    places: Sequence[int]
    distance: str
    k: int
    eligibility: Eligibility = EVERYTHING
    change: Callable[[Vectors], Vectors] | None = None
    below: int | None = None

    @property
    def whole(self) -> bool:
        """Whether both sides hold whole numbers, so that distances other than cosine are exact."""
        return self.change is None and self.source.dtype.kind in "iu" and self.vectors.dtype.kind in "iu"

    def only(self, which: list[int]) -> Question:
        """The same of some of its queries."""
        return replace(self, vectors=self.vectors[which], places=[self.places[one] for one in which])


@dataclass(frozen=True, eq=False)
class Look:
    """What one query ought to be answered, within rounding.

    ``rows`` and ``values``: the nearest ``min(k, eligible)``, in order. ``cut``: the distance of the last of them,
    ``band`` the tie band there. ``sure``: rows that lie before the band even if rounding were against them.
    ``nearer`` and ``tied``: the least and the most that may be counted. ``at``, ``at_roundings``: the distances of the
    rows that were asked about, NaN where such a row may not answer.
    """

    eligible: int
    rows: Integers
    values: Floats
    cut: float
    band: float
    rounding: float
    sure: Integers
    nearer: tuple[int, int]
    tied: tuple[int, int]
    at: Floats
    at_roundings: Floats


def nothing_seen(about: int) -> Look:
    """The look for a query that no row may answer."""
    none, unknown = np.empty(0, np.int64), np.full(about, np.nan)
    return Look(0, none, np.empty(0), np.nan, 0.0, 0.0, none, (0, 0), (0, 0), unknown, unknown)
