"""Compare two truths query by query: who entered a list, who left, how far distances moved, and whether by ties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.errors import NotAMeasurement
from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.model.distance import Distance, distance_named
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.neighbors import Neighbors, offsets_of
from truerecall.model.truth import GroundTruth
from truerecall.model.truth_diff import TruthDiff


@dataclass(frozen=True, eq=False)
class _Side:
    """The first neighbours of some queries of one truth. ``asking``: the place of the query of each."""

    lists: Neighbors
    asking: Integers
    integral: bool

    @classmethod
    def of(cls, truth: GroundTruth, queries: Integers, k: int) -> _Side:
        starts, lengths = truth.neighbors.offsets[queries], np.minimum(truth.neighbors.lengths[queries], k)
        offsets = offsets_of(lengths)
        asking = np.repeat(np.arange(len(queries)), lengths)
        entries = np.arange(offsets[-1]) + (starts - offsets[:-1])[asking]
        lists = Neighbors(truth.neighbors.ids[entries], truth.neighbors.distances[entries], offsets)
        integral = all(side.dtype.startswith(("int", "uint")) for side in (truth.corpus, truth.queries))
        return cls(lists, asking, integral)

    @property
    def cuts(self) -> Floats:
        """The distance of the last neighbour of each query; NaN for an empty list."""
        cuts, listed = np.full(len(self.lists), np.nan), self.lists.lengths > 0
        cuts[listed] = self.lists.distances[self.lists.offsets[1:][listed] - 1]
        return cuts

    def bands(self, geometry: Distance) -> Floats:
        """The tie band at each cut."""
        return geometry.tie_band(self.cuts, integral=self.integral)

    def without(self, shared: Integers) -> tuple[Neighbors, Integers]:
        """What is in these lists alone, and the place of the query of each."""
        alone = np.ones(len(self.asking), np.bool_)
        alone[shared] = False
        counts = np.bincount(self.asking[alone], minlength=len(self.lists))
        return Neighbors(self.lists.ids[alone], self.lists.distances[alone], offsets_of(counts)), self.asking[alone]


def diff_truths(first: GroundTruth, second: GroundTruth, *, k: int | None = None) -> TruthDiff:
    """What differs from the first truth to the second, over their first ``k`` neighbours: as far as both go, where it
    is None. Queries are matched by id.

    Raises InputError where one of them does not hold k neighbours, NotAMeasurement where no query is in both.
    """
    depth = min(first.k, second.k) if k is None else k
    for truth in (first, second):
        truth.demand_depth(depth)
    place = rows_of(second.query_ids, first.query_ids)
    of_second = np.flatnonzero(place != NO_ROW)
    of_second = of_second[np.argsort(place[of_second])]
    of_first = place[of_second]
    if not len(of_first):
        raise NotAMeasurement("the truths have no query in common", "compare truths of the same queries, by their ids")
    before, after = _Side.of(first, of_first, depth), _Side.of(second, of_second, depth)
    in_first, in_second = _shared(before, after)
    left, _ = before.without(in_first)
    entered, _ = after.without(in_second)
    count = len(of_first)
    moved = np.bincount(before.asking[in_first][_ranks(in_first) != _ranks(in_second)], minlength=count)
    alike = first.distance == second.distance
    geometry = distance_named(first.distance)
    return TruthDiff(
        differences=tuple(_differences(first, second)),
        depths=(first.k, second.k),
        k=depth,
        only_first=first.query_ids[np.setdiff1d(np.arange(len(first)), of_first)],
        only_second=second.query_ids[place == NO_ROW],
        query_ids=first.query_ids[of_first],
        entered=entered,
        left=left,
        shared=np.bincount(before.asking[in_first], minlength=count),
        moved=moved,
        cuts=np.stack([before.cuts, after.cuts]) if alike else None,
        distance_change=_distance_change(before.lists, after.lists) if alike else None,
        within_ties=_within_ties(geometry, before, after, in_first, in_second, depth) if alike else None,
    )


def _shared(before: _Side, after: _Side) -> tuple[Integers, Integers]:
    """Which entries of both sides are the same neighbour of the same query, pair by pair."""
    names, codes = np.unique(before.lists.ids, return_inverse=True)
    others = rows_of(after.lists.ids, names)
    span = len(names) + 1
    known = np.flatnonzero(others != NO_ROW)
    keys = before.asking * span + codes, after.asking[known] * span + others[known]
    _, in_first, in_second = np.intersect1d(*keys, assume_unique=True, return_indices=True)
    return in_first, known[in_second]


def _ranks(entries: Integers) -> Integers:
    ranks = np.empty(len(entries), np.int64)
    ranks[np.argsort(entries)] = np.arange(len(entries))
    return ranks


def _distance_change(before: Neighbors, after: Neighbors) -> Floats:
    lengths = np.minimum(before.lengths, after.lengths)
    offsets = offsets_of(lengths)
    asking = np.repeat(np.arange(len(lengths)), lengths)
    inside = np.arange(offsets[-1]) - offsets[:-1][asking]
    change = np.where((lengths == 0) & (before.lengths + after.lengths > 0), np.nan, 0.0)
    apart = after.distances[after.offsets[asking] + inside] - before.distances[before.offsets[asking] + inside]
    np.maximum.at(change, asking, np.abs(apart))
    return change


def _within_ties(
    geometry: Distance, before: _Side, after: _Side, in_first: Integers, in_second: Integers, depth: int
) -> Booleans:
    """For each query whether no difference goes beyond ties. A list that ends before the cut holds all eligible rows:
    nothing ties for a place in it."""
    within = np.ones(len(before.lists), np.bool_)
    exchanged = np.zeros(len(before.lists), np.bool_)
    for side, shared in ((before, in_first), (after, in_second)):
        alone, asking = side.without(shared)
        within[asking[alone.distances < (side.cuts - side.bands(geometry))[asking]]] = False
        exchanged[asking] = True
    full = (before.lists.lengths == depth) & (after.lists.lengths == depth)
    with np.errstate(invalid="ignore"):  # an empty list has no cut
        stayed = np.abs(before.cuts - after.cuts) <= np.maximum(before.bands(geometry), after.bands(geometry))
    within &= ~exchanged | full & stayed
    was = before.lists.distances[in_first]
    apart = np.abs(after.lists.distances[in_second] - was)
    beyond = apart > geometry.tie_band(was, integral=before.integral and after.integral)
    within[before.asking[in_first][beyond]] = False
    return within


def _differences(first: GroundTruth, second: GroundTruth) -> list[str]:
    found = first.subject.differences(second.subject)
    if dict(first.reasons) != dict(second.reasons):
        mine, theirs = (
            "; ".join(f"{name}: {text}" for name, text in sorted(t.reasons.items())) for t in (first, second)
        )
        found.append(f"it leaves out {mine or 'nothing'}, not {theirs or 'nothing'}")
    return found
