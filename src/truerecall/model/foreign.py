"""Neighbour lists as another tool wrote them: not yet held against any vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from truerecall.model.arrays import Booleans, Floats, Ids, Integers, Texts, frozen
from truerecall.model.neighbors import offsets_of

Nearer = Literal["smaller", "larger", "unsaid"]
"""Whether a smaller or a larger number stands for a nearer row, as far as the file says."""


@dataclass(frozen=True, eq=False)
class ForeignLists:
    """``ids``: all lists one after another, list i at ``offsets[i]:offsets[i + 1]``. ``distances``: the numbers that
    the file gives with them, on whatever scale, None where it has none, NaN for a place without one. ``query_ids``:
    whose lists these are, None where they are in the order of the queries. ``distance``: the geometry that the file
    names, None where it names none. ``padded``: whether the format fills up with -1.

    ``holes``: places without an id (padding) that stand before one with an id; None where there is none. ``padding``:
    how many places were padding, these included. ``failures``: for each list the error of a query that was not
    answered, empty where it was; None where none is marked. ``nearer``: what the numbers mean; ``by_number``: whether
    the lists have no order of their own and take that of the numbers. ``remarks``: how the file was read, in words.
    """

    ids: Ids
    offsets: Integers
    distances: Floats | None = None
    query_ids: Ids | None = None
    distance: str | None = None
    padded: bool = False
    holes: Booleans | None = None
    padding: int = 0
    failures: Texts | None = None
    nearer: Nearer = "unsaid"
    by_number: bool = False
    remarks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("ids", "offsets", "distances", "query_ids", "holes", "failures"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, frozen(getattr(self, name)))

    def __len__(self) -> int:
        return len(self.offsets) - 1


def without_padding(
    ids: Ids, held: Booleans, lengths: Integers, distances: Floats | None = None, **facts: Any
) -> ForeignLists:
    """Lists of these lengths, cut after the last place that is ``held``; those before it that are not are holes."""
    offsets = offsets_of(lengths)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(ids)) - offsets[owner]
    ends = np.zeros(len(lengths), np.int64)
    np.maximum.at(ends, owner[held], place[held] + 1)
    kept = place < ends[owner]
    holes = ~held[kept]
    return ForeignLists(
        ids[kept],
        offsets_of(ends),
        None if distances is None else distances[kept],
        holes=holes if bool(holes.any()) else None,
        padding=int((~held).sum()),
        **facts,
    )
