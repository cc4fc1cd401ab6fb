"""The shape of vectors: what an inspection found of a corpus and of queries before anything is measured.

Distances in these records are unsquared, and under cosine they are chords, sqrt(2 (1 - cos)): the Euclidean distance
of the vectors at unit length, so that unit vectors have the same shape under l2 and cosine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from truerecall.model.arrays import Floats, Integers
from truerecall.model.finding import CheckOutcome, Finding, Verdict, verdict_of
from truerecall.model.vectors import Fingerprint

COUNTED = "counted"
"""The method of a number that was taken over everything: it has no interval."""


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval, how many rows or queries it is from, and the method of the interval.

    ``value`` is None where it is undefined, with the reason. ``left_out``: how many of those looked at had no value.
    """

    value: float | None
    n: int
    interval: tuple[float, float] | None = None
    method: str = COUNTED
    reason: str = ""
    left_out: int = 0

    @property
    def low(self) -> float | None:
        """The lower end of the interval, or the value where it is exact."""
        return self.value if self.interval is None else self.interval[0]

    @property
    def high(self) -> float | None:
        return self.value if self.interval is None else self.interval[1]


def undefined(reason: str, n: int = 0) -> Estimate:
    return Estimate(None, n, None, "none", reason)


@dataclass(frozen=True)
class Faults:
    """Rows or queries that hold what no distance, or no cosine, is defined for, counted over ``n``.

    ``counts``: kind -> how many, ``first``: kind -> the first few. Kinds: ``NaN``, ``infinity``, ``values too large``
    (their squares overflow float64) and ``zeros`` (only zeros). ``zeros_undefined``: whether the distance gives a
    vector of zeros no distance.
    """

    n: int
    counts: Mapping[str, int]
    first: Mapping[str, tuple[int, ...]]
    zeros_undefined: bool


@dataclass(frozen=True, eq=False)
class Duplicates:
    """Usable rows with equal bytes, counted over ``n``. ``sizes``: of each group of two and more, largest first."""

    n: int
    sizes: Integers

    @property
    def groups(self) -> int:
        return len(self.sizes)

    @property
    def largest(self) -> int:
        return int(self.sizes[0]) if len(self.sizes) else 1

    @property
    def surplus(self) -> int:
        """How many rows could go without a content being lost."""
        return int(self.sizes.sum()) - len(self.sizes)

    @property
    def share(self) -> float:
        """The share of rows with an exact copy."""
        return float(self.sizes.sum()) / self.n if self.n else 0.0


@dataclass(frozen=True, eq=False)
class Lengths:
    """Euclidean lengths of all usable rows. ``agreement``: the share of the nearest k by inner product that are also
    among the nearest k by cosine, among sampled rows."""

    values: Floats
    even: bool
    unit: bool
    agreement: Estimate


@dataclass(frozen=True, eq=False)
class Hubs:
    """In how many lists of the k nearest each of ``n`` sampled rows stands, the lists being those of these rows."""

    k: int
    counts: Integers
    skewness: Estimate
    absent: Estimate


@dataclass(frozen=True, eq=False)
class Structure:
    """The median distance to the k-th nearest row among sampled rows (``own``), over that after every dimension was
    shuffled by itself (``shuffled``): 1 where the dimensions have nothing to do with each other."""

    k: int
    n: int
    own: Floats
    shuffled: Floats
    ratio: Estimate


@dataclass(frozen=True, eq=False)
class Closeness:
    """What lies around some points. ``nearest``, ``at_k``, ``means``: the distance of the nearest row, of the k-th,
    and of rows in general, for each point. ``rows``: how many rows were scanned, all that are usable."""

    k: int
    rows: int
    nearest: Floats
    at_k: Floats
    means: Floats
    contrast: Estimate


@dataclass(frozen=True, eq=False)
class CorpusShape:
    """A corpus. ``dimensions``: numbers or bits of a row. ``geometry``: the distance that the shape was taken in, None
    where the rows' own distance gives none. ``constant``: dimensions that hold one value in all usable rows.
    ``spread``: the standard deviation of each dimension among sampled rows. ``local``: the local intrinsic dimension
    at each sampled row, where it is defined."""

    fingerprint: Fingerprint
    name: str
    distance: str
    geometry: str | None
    k: int
    dimensions: int
    usable: int
    faults: Faults
    duplicates: Duplicates
    constant: tuple[int, ...]
    spread: Floats
    lengths: Lengths | None
    closeness: Closeness
    local: Floats
    local_depth: int
    dimension: Estimate
    ties: Estimate
    hubs: Hubs
    structure: Structure


@dataclass(frozen=True, eq=False)
class Shift:
    """Queries against rows that were held out of the corpus.

    ``mahalanobis``: the mean distance of queries from the rows' centre over that of held-out rows; ``nearest``: the
    median distance of a query's nearest row over that of a held-out row's; ``area``: how often a classifier ranks a
    query above a row. 1, 1 and 0.5 without a shift. The arrays are what the first two were taken from.
    """

    mahalanobis: Estimate
    nearest: Estimate
    area: Estimate
    of_queries: Floats
    of_rows: Floats


@dataclass(frozen=True, eq=False)
class QueryShape:
    """Queries: ``n`` of them, ``inspected`` against all rows. ``copies``: for each query the usable rows with the same
    values. ``near``: the share of inspected queries that repeat another one; ``apart``: for each inspected query the
    distance of the nearest other query over that of its nearest row."""

    name: str
    n: int
    inspected: int
    faults: Faults
    copies: Integers
    repeats: Duplicates
    near: Estimate
    apart: Floats
    closeness: Closeness
    shift: Shift


@dataclass(frozen=True, eq=False)
class Inspection:
    """All that was found. ``sampled``: what was looked at of how much, in words."""

    corpus: CorpusShape
    queries: QueryShape | None
    ties_at_cut: Estimate
    checks: tuple[CheckOutcome, ...]
    sampled: tuple[str, ...]
    seed: int

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(c.finding for c in self.checks if c.finding is not None)

    @property
    def verdict(self) -> Verdict:
        return verdict_of(self.findings)
