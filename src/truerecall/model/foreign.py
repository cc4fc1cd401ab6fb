"""Neighbour lists as another tool wrote them: not yet held against any vectors."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.arrays import Floats, Ids, Integers, frozen


@dataclass(frozen=True, eq=False)
class ForeignLists:
    """``ids``: all lists one after another, list i at ``offsets[i]:offsets[i + 1]``. ``distances``: as the file has
    them, on whatever scale, None where it has none. ``query_ids``: whose lists these are, None where they are in the
    order of the queries. ``distance``: the geometry that the file names, None where it names none. ``padded``:
    whether the format fills up with -1.
    """

    ids: Ids
    offsets: Integers
    distances: Floats | None = None
    query_ids: Ids | None = None
    distance: str | None = None
    padded: bool = False

    def __post_init__(self) -> None:
        for name in ("ids", "offsets", "distances", "query_ids"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, frozen(getattr(self, name)))

    def __len__(self) -> int:
        return len(self.offsets) - 1
