"""What another system returned, bound to the queries of a truth."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from truerecall.model.arrays import Booleans, Floats, Ids, Integers, Texts, frozen
from truerecall.model.neighbors import Neighbors


@dataclass(frozen=True, eq=False)
class Returned:
    """Answers under the ids of a truth. One entry per list in ``query_ids`` and ``failures`` (empty where the query
    was answered); one per place in the rest:

    - ``neighbors``: ids of the kind that the corpus has, with true distances: NaN where no such row may answer, and
      where nobody can tell yet, which ``known`` tells apart;
    - ``holes``: places without an id; ``strange``: ids that no row of the corpus bears, as far as its ids are known;
    - ``reported``: the numbers that came with the answers, None where none did.

    ``padding``: places that were padding. ``unknown_queries`` of the ``lists`` in the file belong to no query of the
    truth and are left aside. ``by_position``: whether the lists had no query ids. ``nearer`` and ``remarks`` as in
    ForeignLists.
    """

    name: str
    query_ids: Ids
    failures: Texts
    neighbors: Neighbors
    holes: Booleans
    known: Booleans
    strange: Booleans
    reported: Floats | None
    lists: int
    unknown_queries: int
    padding: int
    by_position: bool
    nearer: str
    remarks: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in ("query_ids", "failures", "holes", "known", "strange", "reported"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, frozen(getattr(self, name)))

    @property
    def failed(self) -> Booleans:
        return np.asarray(self.failures != "")

    @property
    def owners(self) -> Integers:
        """For each place the list that it is in."""
        return np.repeat(np.arange(len(self.neighbors)), self.neighbors.lengths)

    @property
    def places(self) -> Integers:
        """For each place where in its list it stands, from 0."""
        return np.arange(len(self.neighbors.ids)) - self.neighbors.offsets[self.owners]

    @property
    def longest(self) -> int:
        return int(self.neighbors.lengths.max(initial=0))

    def named(self, ids: Ids) -> Returned:
        """The same under other ids, of which nothing is known."""
        unknown = np.full(len(ids), np.nan)
        return replace(self, neighbors=Neighbors(ids, unknown, self.neighbors.offsets))
