"""Answers cut at one depth: what the measures at that depth share, computed when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from truerecall.kernels.overlap import MISS, SPENT, match
from truerecall.model.arrays import Booleans, Floats, Integers, Texts, frozen
from truerecall.model.distance import DISTANCES

NOTHING = -1
"""The code that pads lists of answers. It is never an id."""

NO_TRUE_NEIGHBOUR = "no eligible row"
"""Why any measure against the truth is undefined for a query for which no row qualifies."""

ALL_TIED = "every eligible row ties (all-tied)"
"""Why any measure is undefined where the tie band at the cut covers all eligible rows, and they are more than k."""


@dataclass(frozen=True, eq=False)
class Cut:
    """G, the first k true neighbours, and R, what came back in the first ``places`` places; a row per query.

    ``true_distances`` ascend and end in NaN where ``truth`` is padded. ``may_count``: whether the id at each place of
    ``found`` may answer its query. ``deepest``: the last distance that the truth lists, at its own depth; ``whole``:
    whether every eligible row is listed there or lies in the tie band at its end.
    """

    truth: Integers
    true_distances: Floats
    eligible: Integers
    found: Integers
    found_distances: Floats
    may_count: Booleans
    deepest: Floats
    whole: Booleans
    distance: str
    integral: bool
    wider: Cut | None = None
    """A cut of the same answers that is at least as deep on both sides, whose places hold for this one too."""
    stored: Cut | None = None
    """The same beside the distances that the truth holds, where ``true_distances`` are those of a corpus that has
    drifted from it; it then tells which queries have a value, for nothing is known of the rows beyond the lists."""

    @cached_property
    def size(self) -> Integers:
        """|G|, the divisor of recall."""
        return np.asarray((self.truth >= 0).sum(axis=1))

    @cached_property
    def place(self) -> Integers:
        """For each place of R where in G its id stands; MISS where it does not, SPENT for padding and repeats."""
        if self.wider is None:
            return match(self.truth, self.found)
        place = self.wider.place[:, : self.found.shape[1]]
        return np.where(place < self.truth.shape[1], place, MISS)

    @cached_property
    def hits(self) -> Integers:
        """|R ∩ G|."""
        return np.asarray((self.place >= 0).sum(axis=1))

    @cached_property
    def rank(self) -> Integers:
        """The rank of each place in R once padding and repeats are taken out, from 1 on; meaningless where SPENT."""
        return np.cumsum(self.place != SPENT, axis=1)

    @cached_property
    def distances(self) -> Floats:
        """The true distance at each place of R; infinite for padding, repeats and ids that may not answer."""
        counts = (self.place != SPENT) & self.may_count & ~np.isnan(self.found_distances)
        return np.where(counts, self.found_distances, np.inf)

    @cached_property
    def ascending(self) -> Floats:
        """``distances`` from the nearest on."""
        return np.sort(self.distances, axis=1)

    @cached_property
    def at_cut(self) -> Floats:
        """The distance of the last row of G; minus infinity where G is empty."""
        if not self.truth.shape[1]:
            return np.full(len(self.truth), -np.inf)
        last = np.take_along_axis(self.true_distances, np.maximum(self.size - 1, 0)[:, None], axis=1)[:, 0]
        return np.where(self.size > 0, last, -np.inf)

    @cached_property
    def band(self) -> Floats:
        """The half width of the tie band at the cut; zero where nobody said which distance it is."""
        if self.distance not in DISTANCES:
            return np.zeros(len(self.truth))
        finite = np.where(self.size > 0, self.at_cut, 0.0)
        return DISTANCES[self.distance].tie_band(finite, integral=self.integral)

    @cached_property
    def all_tied(self) -> Booleans:
        """Whether the band covers every eligible row and they are more than there are places."""
        if self.stored is not None:
            return self.stored.all_tied
        if not self.truth.shape[1]:
            return np.zeros(len(self.truth), np.bool_)
        within = (self.true_distances[:, 0] >= self.at_cut - self.band) & (self.deepest <= self.at_cut + self.band)
        return np.asarray((self.eligible > self.size) & self.whole & within)

    def share(self, counts: Integers) -> Floats:
        """The counts of each query divided by |G|; 0 where no measure has a value."""
        return np.where(self.defined, counts / np.maximum(self.size, 1), 0.0)

    @cached_property
    def defined(self) -> Booleans:
        """Whether measures have a value."""
        return np.asarray((self.size > 0) & ~self.all_tied)

    @cached_property
    def undefined(self) -> Texts:
        """Why no measure has a value; empty where measures have."""
        reasons = np.full(len(self.truth), "", np.dtypes.StringDType())
        reasons[self.all_tied] = ALL_TIED
        reasons[self.size == 0] = NO_TRUE_NEIGHBOUR
        return frozen(reasons)
