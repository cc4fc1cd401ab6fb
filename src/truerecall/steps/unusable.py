"""Vectors that no distance is defined for: refused by name, or left out and counted."""

from __future__ import annotations

from collections.abc import Mapping
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


def policies_of(reasons: Mapping[str, str], also: Policies = REFUSE_ALL) -> Policies:
    """What a truth with these reasons left out as unusable is left out again, what ``also`` leaves out too, and nothing
    else."""
    return Policies(
        zero_vectors="leave-out" if ZERO_VECTORS in reasons else also.zero_vectors,
        not_finite="leave-out" if NOT_FINITE in reasons else also.not_finite,
    )


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Which rows of one side were left out (None: none), and how many for which reason."""

    mask: Booleans | None
    counts: dict[str, int]


class Unusable:
    """Collects the rows of one side that the distance is not defined for. ``word``: ``row`` or ``query``."""

    def __init__(self, name: str, word: str, distance: Distance) -> None:
        self._name, self._word, self._distance = name, word, distance
        self._found: dict[str, list[Integers]] = {reason: [] for reason in FAULTS}

    @property
    def looked_for(self) -> str:
        """The reasons that are looked for under this distance."""
        return NOT_FINITE if self._distance.zero_vectors_defined else f"{NOT_FINITE} {ZERO_VECTORS}"

    def look(self, start: int, block: Vectors) -> None:
        """Look at the rows from ``start`` on."""
        if block.dtype.kind not in "iub":
            good = np.isfinite(block)
            if block.dtype.itemsize > 4:
                good &= np.abs(block) <= LARGEST_VALUE
            usable = np.asarray(good.all(axis=1))
            if not usable.all():
                self._found[NOT_FINITE].append(start + np.flatnonzero(~usable))
                block = np.where(usable[:, None], block, block.dtype.type(1))
        if not self._distance.zero_vectors_defined:
            short = np.flatnonzero(squared_lengths(block) < SHORTEST_SQUARE)
            if len(short):
                self._found[ZERO_VECTORS].append(start + short)

    def recall(self, found: Mapping[str, Integers]) -> None:
        """Take what an earlier look at the same rows found."""
        for reason, rows in found.items():
            self._found[reason].append(rows)

    def found(self) -> dict[str, Integers]:
        """The unusable rows, ascending, by the reason why they are."""
        return {reason: np.concatenate(parts) for reason, parts in self._found.items() if parts}

    def settle(self, policies: Policies, rows: int) -> LeftOut:
        """What is left out, of so many rows. Raises InputError, naming rows, where there is something that the policy
        refuses."""
        found = self.found()
        for reason, places in found.items():
            if policies.of(reason) == "refuse":
                self._refuse(reason, places)
        if not found:
            return LeftOut(None, {})
        mask = np.zeros(rows, np.bool_)
        mask[np.concatenate(list(found.values()))] = True
        return LeftOut(mask, {reason: len(places) for reason, places in found.items()})

    def _refuse(self, reason: str, places: Integers) -> None:
        problem = f"{self._name}: {self._listed(places)} {FAULTS[reason]}"
        remedy = f"take these vectors out, or give --{reason} leave-out"
        if reason == ZERO_VECTORS:
            problem += f", and the {self._distance.name} distance of a zero vector is undefined"
            remedy = f"take these vectors out, use l2 or ip, or give --{reason} leave-out"
        raise InputError(problem, remedy)

    def _listed(self, places: Integers) -> str:
        count, shown = len(places), ", ".join(map(str, places[:NAMED_ROWS].tolist()))
        if count == 1:
            return f"{self._word} {shown} holds"
        more = f" and {count - NAMED_ROWS} more" if count > NAMED_ROWS else ""
        return f"{counted(count, self._word)} ({shown}{more}) hold"


def counted(count: int, word: str) -> str:
    """``1 row``, ``2 rows``, ``0 queries``."""
    plural = {"query": "queries"}.get(word, f"{word}s")
    return f"{count:,} {word if count == 1 else plural}"
