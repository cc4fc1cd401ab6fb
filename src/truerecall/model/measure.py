"""Measures: a value for each query of what came back beside what is true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from truerecall.model.answers import Answers as Answers
from truerecall.model.arrays import Booleans, Floats, Texts, frozen
from truerecall.model.cut import NO_TRUE_NEIGHBOUR as NO_TRUE_NEIGHBOUR
from truerecall.model.cut import NOTHING as NOTHING
from truerecall.model.measure_name import MeasureName


@dataclass(frozen=True, eq=False)
class PerQuery:
    """A value per query, in the order of the truth's queries.

    Where ``undefined`` holds a reason the value has no meaning (it is stored as 0). ``exact``: what exact search
    scores on each query, for measures against labels; None for measures against the truth, where it scores 1.
    ``note``: what was derived from all queries and stands beside the score, in words. ``groups``: the name of the group
    of each query, where the measure means another thing from group to group.
    """

    values: Floats
    undefined: Texts
    exact: Floats | None = None
    note: str = ""
    groups: Texts | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", frozen(self.values))
        object.__setattr__(self, "undefined", frozen(self.undefined))
        for name in ("exact", "groups"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, frozen(getattr(self, name)))

    @property
    def defined(self) -> Booleans:
        return np.asarray(self.undefined == "")


@dataclass(frozen=True, eq=False)
class Along:
    """A measure over a range of its argument: the one that was ``asked`` for, as a number, and for each of several,
    ascending and it among them, the values of the queries."""

    asked: float
    values: tuple[tuple[float, PerQuery], ...]


class Measure(Protocol):
    """One file on the shelf ``truerecall.measures`` binds one of these to ``measure``.

    A class that names this protocol as its base takes the values below for what it does not say itself.
    """

    title: str
    """What it is in a few words, for tables."""

    needs_labels: bool = False
    needs_distances: bool = False
    """Whether it looks at the true distances of what came back, and not at ids alone."""

    argument: str = ""
    """What stands in brackets behind the depth, in words; empty where nothing may."""

    argument_needed: bool = False
    """Whether it has no value without its argument."""

    geometries: tuple[str, ...] = ()
    """The distances under which it has a meaning; empty where it has one under each."""

    extra: str = ""
    """The extra of truerecall whose library it needs; empty where it needs none."""

    usual: bool = False
    """Whether it is taken where nobody names measures."""

    share: bool = False
    """Whether its values are 0 and 1, so that their mean is the share of the queries that meet a condition."""

    bounds: tuple[float, float] = (0.0, 1.0)
    """The smallest and the largest value that a query can have."""

    of_approximate: bool = False
    """Whether it is of answers beside the work of an index, and so has no meaning beside an exact truth; the other
    measures have none beside the work of an index."""

    of_labels: bool = False
    """Whether it holds the answers against labels alone, so that exact search is beside it and not perfect."""

    def demand(self, name: MeasureName) -> None:
        """Raises InputError where the name has a depth or an argument that this measure does not know."""
        ...

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        """The value for each query. A failed query came back empty and scores as an empty answer."""
        ...

    def along(self, answers: Answers, name: MeasureName) -> Along | None:
        """The values over a range of arguments around that of the name; None for measures of which that curve is not
        drawn."""
        return None
