"""The score of a measure over all queries."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.measure import PerQuery


@dataclass(frozen=True, eq=False)
class Score:
    """A measure over all queries: the mean with its interval, and what was left out.

    ``n`` queries are in the mean, ``undefined`` ones are not (counts by reason); a mean over none is None. ``failed``
    of the n count 0 in ``mean``; ``answered_mean`` is over those that were answered (None where none was). ``ci95``
    is None where one query cannot give an interval.
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
