"""What differs from one truth to another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.model.arrays import Booleans, Floats, Ids, Integers, frozen
from truerecall.model.neighbors import Neighbors


@dataclass(frozen=True, eq=False)
class TruthDiff:
    """The first ``k`` neighbours of the queries that two truths of the ``depths`` have in common, in the first's order.

    ``differences``: in which facts the first is about something else than the second, in words. ``only_first`` and
    ``only_second``: queries that one of them alone has. One entry per common query in all others:

    - ``entered``: neighbours in the second list alone, with their distances there; ``left``: those in the first alone;
      ``shared``: how many are in both, and ``moved``: how many of these come in another order;
    - ``cuts``: the distance of the last neighbour in both truths, shape (2, queries), NaN for an empty list;
    - ``distance_change``: the greatest difference of the distances at one place, NaN where no place is in both lists;
    - ``within_ties``: whether ties explain all that changed: every neighbour that entered or left lies in the tie band
      at a cut that stayed where it was, and what stayed is as far as it was, within the band of its own distance.

    The last three are None where the truths are of different distances.
    """

    differences: tuple[str, ...]
    depths: tuple[int, int]
    k: int
    only_first: Ids
    only_second: Ids
    query_ids: Ids
    entered: Neighbors
    left: Neighbors
    shared: Integers
    moved: Integers
    cuts: Floats | None
    distance_change: Floats | None
    within_ties: Booleans | None

    def __post_init__(self) -> None:
        names = ("only_first", "only_second", "query_ids", "shared", "moved", "cuts", "distance_change", "within_ties")
        for name in names:
            if getattr(self, name) is not None:
                object.__setattr__(self, name, frozen(getattr(self, name)))

    def __len__(self) -> int:
        return len(self.query_ids)

    @property
    def changed(self) -> Booleans:
        """For each query whether anything in its list is different."""
        moved_at_all = (self.entered.lengths + self.left.lengths + self.moved) > 0
        return moved_at_all if self.distance_change is None else moved_at_all | (self.distance_change > 0)

    @property
    def beyond_ties(self) -> Booleans:
        """For each query whether it changed and ties do not explain it."""
        return self.changed if self.within_ties is None else self.changed & ~self.within_ties

    @property
    def overlap(self) -> Floats:
        """For each query the share of the longer list that both hold; NaN where both are empty."""
        longer = self.shared + np.maximum(self.entered.lengths, self.left.lengths)
        return np.where(longer > 0, self.shared / np.maximum(longer, 1), np.nan)

    @property
    def agrees(self) -> bool:
        """Whether both say the same of the same queries, as far as ``k`` goes, ties aside."""
        return not (self.differences or len(self.only_first) or len(self.only_second) or self.beyond_ties.any())

    def worst(self, count: int | None = None) -> Integers:
        """The places of the changed queries: those that ties do not explain first, then by how many neighbours
        entered or left, how far distances changed, how many moved, and the order of the queries; at most ``count``."""
        change = (
            np.zeros(len(self)) if self.distance_change is None else np.nan_to_num(self.distance_change, nan=np.inf)
        )
        exchanged = np.maximum(self.entered.lengths, self.left.lengths)
        order = np.lexsort((-self.moved, -change, -exchanged, ~self.beyond_ties))
        return order[self.changed[order]][:count]
