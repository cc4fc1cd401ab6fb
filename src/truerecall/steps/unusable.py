"""Vectors that no distance is defined for: refused by name, or left out and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from truerecall.errors import InputError
from truerecall.kernels.distances import LARGEST_VALUE, squared_lengths
from truerecall.model.arrays import Booleans, Integers, Vectors
from truerecall.model.distance import Distance

Policy = Literal["refuse", "leave-out"]
POLICIES: tuple[Policy, ...] = ("refuse", "leave-out")

SHORTEST_SQUARE = 1e-280
"""Below this the square of a length loses digits to underflow; under cosine such a vector counts as zero."""

NAMED_ROWS = 5
NOT_FINITE, ZERO_VECTORS = "not-finite", "zero-vectors"
FAULTS = {
    NOT_FINITE: f"NaN, infinity or values beyond {LARGEST_VALUE:g}",
    ZERO_VECTORS: "only zeros",
}
"""The reasons why a vector is unusable, and what such a vector holds."""


@dataclass(frozen=True)
class Policies:
    """What is done with vectors of NaN or infinity, and with vectors of zeros where the distance is undefined."""

    zero_vectors: Policy = "refuse"
    not_finite: Policy = "refuse"

    def of(self, reason: str) -> Policy:
        return self.not_finite if reason == NOT_FINITE else self.zero_vectors


REFUSE_ALL = Policies()


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Which rows of one side were left out (None: none), and how many for which reason."""

    mask: Booleans | None
    counts: dict[str, int]


class Unusable:
    """Collects the rows of one side that the distance is not defined for. ``word``: ``row`` or ``query``."""

    def __init__(self, name: str, word: str, distance: Distance) -> None:
        self._name, self._word, self._distance = name, word, distance
        self._mask: Booleans | None = None
        self._counts = dict.fromkeys(FAULTS, 0)
        self._first: dict[str, list[int]] = {reason: [] for reason in FAULTS}

    def look(self, start: int, block: Vectors, rows: int) -> None:
        """Look at the rows from ``start`` on, of ``rows`` in all."""
        if block.dtype.kind not in "iub":
            good = np.isfinite(block)
            if block.dtype.itemsize > 4:
                good &= np.abs(block) <= LARGEST_VALUE
            usable = np.asarray(good.all(axis=1))
            if not usable.all():
                self._add(NOT_FINITE, start, np.flatnonzero(~usable), rows)
                block = np.where(usable[:, None], block, block.dtype.type(1))
        if not self._distance.zero_vectors_defined:
            self._add(ZERO_VECTORS, start, np.flatnonzero(squared_lengths(block) < SHORTEST_SQUARE), rows)

    def settle(self, policies: Policies) -> LeftOut:
        """What is left out. Raises InputError, naming rows, where there is something that the policy refuses."""
        for reason, count in self._counts.items():
            if count and policies.of(reason) == "refuse":
                self._refuse(reason)
        return LeftOut(self._mask, {reason: count for reason, count in self._counts.items() if count})

    def _add(self, reason: str, start: int, places: Integers, rows: int) -> None:
        if not len(places):
            return
        self._counts[reason] += len(places)
        first = self._first[reason]
        first += (start + places[: NAMED_ROWS - len(first)]).tolist()
        if self._mask is None:
            self._mask = np.zeros(rows, np.bool_)
        self._mask[start + places] = True

    def _refuse(self, reason: str) -> None:
        problem = f"{self._name}: {self._listed(reason)} {FAULTS[reason]}"
        remedy = f"take these vectors out, or give --{reason} leave-out"
        if reason == ZERO_VECTORS:
            problem += f", and the {self._distance.name} distance of a zero vector is undefined"
            remedy = f"take these vectors out, use l2 or ip, or give --{reason} leave-out"
        raise InputError(problem, remedy)

    def _listed(self, reason: str) -> str:
        count, shown = self._counts[reason], ", ".join(map(str, self._first[reason]))
        if count == 1:
            return f"{self._word} {shown} holds"
        more = f" and {count - NAMED_ROWS} more" if count > NAMED_ROWS else ""
        return f"{counted(count, self._word)} ({shown}{more}) hold"


def counted(count: int, word: str) -> str:
    """``1 row``, ``2 rows``, ``0 queries``."""
    plural = {"query": "queries"}.get(word, f"{word}s")
    return f"{count:,} {word if count == 1 else plural}"
