"""What was drawn, from what, and how: the record that travels with queries and with a sampled corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from truerecall.model.arrays import Ids, Integers, Texts, frozen
from truerecall.model.vectors import Fingerprint

Allocation = Literal["equal", "proportional"]
ALLOCATIONS: tuple[Allocation, ...] = ("equal", "proportional")
Drawn = Literal["queries of the corpus", "user queries", "sampled corpus"]


@dataclass(frozen=True, eq=False)
class Attribute:
    """What a column says of each row of a corpus, as texts."""

    name: str
    values: Texts


@dataclass(frozen=True)
class Strata:
    """What tells strata apart: the values of a ``column``, or k-means with so many ``clusters``; one stratum where
    both are None."""

    column: str | None = None
    clusters: int | None = None


@dataclass(frozen=True)
class Stratum:
    """``held``: how many could be drawn; ``asked``: its part by the allocation; ``drawn``: how many were. Where others
    are thin it may give more than its part."""

    name: str
    held: int
    asked: int
    drawn: int


@dataclass(frozen=True)
class Dedupe:
    """Rows that equal another, or lie within the ``tolerance`` of one, count once.

    The tolerance is an l2 distance as a share of the spread, which is the median distance of rows from their centre;
    under cosine the vectors are normalised first.
    """

    tolerance: float
    distance: str


@dataclass(frozen=True)
class Drawing:
    """How a sample was drawn. ``dropped``: reason -> how many rows were no candidates for it. ``held_out``: how many
    rows were taken out of the corpus, copies of the drawn ones included; None where it was left as it is."""

    what: Drawn
    source: Fingerprint
    seed: int
    strata: Strata
    allocation: str
    counts: tuple[Stratum, ...]
    dropped: Mapping[str, int]
    dedupe: Dedupe | None = None
    held_out: int | None = None

    @property
    def drawn(self) -> int:
        return sum(stratum.drawn for stratum in self.counts)

    @property
    def thin(self) -> list[str]:
        """The strata that hold fewer than was asked of them, in words."""
        return [f"{one.name} ({one.held:,} of {one.asked:,})" for one in self.counts if one.held < one.asked]

    @property
    def untouched(self) -> list[str]:
        """The strata that nothing was drawn from, in words."""
        return [f"{one.name} (of {one.held:,})" for one in self.counts if not one.drawn]

    def record(self) -> dict[str, Any]:
        """The drawing as a JSON document."""
        return {**asdict(self), "dropped": dict(self.dropped), "drawn": self.drawn}


@dataclass(frozen=True, eq=False)
class Sample:
    """The rows that were drawn, by ascending id: their numbers, ids, the stratum of each, and how many rows of the
    source equal each, itself included. ``left_out``: the rows that leave the corpus where they are held out: those
    drawn and all that equal them, ascending."""

    rows: Integers
    ids: Ids
    strata: Texts
    repeats: Integers
    left_out: Integers
    drawing: Drawing

    def __post_init__(self) -> None:
        for name in ("rows", "ids", "strata", "repeats", "left_out"):
            object.__setattr__(self, name, frozen(getattr(self, name)))
