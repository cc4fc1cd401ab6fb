"""The score of a measure over all queries."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.measure import PerQuery

THIN = 30
"""A stratum with fewer queries is thin: its interval is wide, and its mean says little alone."""


@dataclass(frozen=True)
class LowTail:
    """How the queries fare that fare worst: values that occur.

    ``fifth`` and ``first``: the smallest value that at least 5 % and 1 % of the queries do not exceed; None for fewer
    than 20 and 100 queries. ``at_zero``: how many queries have 0 or less.
    """

    fifth: float | None
    first: float | None
    minimum: float
    at_zero: int


@dataclass(frozen=True)
class StratumScore:
    """The mean over the ``n`` queries of one stratum that have a value."""

    name: str
    n: int
    mean: float | None
    ci95: tuple[float, float] | None
    ci_method: str

    @property
    def thin(self) -> bool:
        return self.n < THIN


@dataclass(frozen=True)
class Means:
    """The mean at each of several arguments, ascending; ``asked`` is the one that the measure was taken at."""

    asked: float
    means: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Beside:
    """What exact search scores on the queries that a measure against labels has a value for: ``exact``, the mean.

    ``lost``: how much less the answers score, with its interval over the same queries. It is what the index loses; what
    ``exact`` lacks of 1 is lost before the index is asked.
    """

    exact: float
    exact_ci95: tuple[float, float] | None
    lost: float
    lost_ci95: tuple[float, float] | None
    lost_method: str


@dataclass(frozen=True, eq=False)
class Score:
    """A measure over all queries: the mean with its interval, and what was left out.

    ``n`` queries are in the mean, ``undefined`` ones are not (counts by reason); a mean over none is None. ``failed``
    of the n failed in some pass, where they count 0 in ``mean``; ``answered_mean`` is over those that were answered,
    in the passes that answered them (None where none was). ``ci95`` is None where one query cannot give an interval.

    ``standard_error``: that of the mean over queries (or clusters), None for fewer than two; ``split_half``: how far
    the means of two random halves are apart; ``low``: None where no query has a value; ``strata``: the same measure
    in each stratum, by name; ``clusters``: how many were resampled as a whole, None where each query stands alone.
    ``along``: the measure over a range of its argument; None for measures of which that curve is not drawn.
    ``beside``: exact search, for measures against labels, else None; ``groups``: the same measure in each group of
    queries that it means another thing in, by number and name; empty where it has none.
    """

    measure: str
    per_query: PerQuery
    mean: float | None
    ci95: tuple[float, float] | None
    ci_method: str
    n: int
    undefined: dict[str, int]
    failed: int
    answered_mean: float | None
    standard_error: float | None = None
    split_half: float | None = None
    low: LowTail | None = None
    strata: tuple[StratumScore, ...] = ()
    clusters: int | None = None
    along: Means | None = None
    beside: Beside | None = None
    groups: tuple[StratumScore, ...] = ()
