"""Measures: what came back beside what is true, and a value of it for each query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from truerecall.model.arrays import Booleans, Floats, Integers, Texts, frozen
from truerecall.model.measure_name import MeasureName

NO_TRUE_NEIGHBOUR = "no eligible row"
"""Why any measure against the truth is undefined for a query for which no row qualifies."""

NOTHING = -1
"""The code that pads the lists of Answers. It is never an id."""


@dataclass(frozen=True, eq=False)
class Answers:
    """What came back beside what is true, aligned by query, with every id as an integer code.

    Equal ids have equal codes, from 0 on; the judge has no corpus, so a code is no row number. An id that the truth
    does not name has a code that the truth does not hold, and can match nothing in it. Lists are padded at the end
    with NOTHING, their distances with NaN. Shapes: ``truth`` and ``truth_distances`` (queries, depth), ``found`` and
    ``found_distances`` (queries, longest answer), the rest (queries,).
    ``relevant``: for each query the sorted codes of the rows that a judge calls relevant; None without labels.
    """

    truth: Integers
    truth_distances: Floats
    eligible: Integers
    found: Integers
    found_distances: Floats
    failed: Booleans
    relevant: tuple[Integers, ...] | None = None

    def __len__(self) -> int:
        return len(self.truth)


@dataclass(frozen=True, eq=False)
class PerQuery:
    """A value per query, in the order of the truth's queries.

    Where ``undefined`` holds a reason the value has no meaning (it is stored as 0).
    """

    values: Floats
    undefined: Texts

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", frozen(self.values))
        object.__setattr__(self, "undefined", frozen(self.undefined))

    @property
    def defined(self) -> Booleans:
        return np.asarray(self.undefined == "")


class Measure(Protocol):
    """One file on the shelf ``truerecall.measures`` binds one of these to ``measure``."""

    @property
    def title(self) -> str:
        """What it is in a few words, for tables."""
        ...

    @property
    def needs_labels(self) -> bool: ...

    @property
    def needs_distances(self) -> bool:
        """Whether it looks at the true distances of what came back, and not at ids alone."""
        ...

    def demand(self, name: MeasureName) -> None:
        """Raises InputError where the name has a depth or an argument that this measure does not know."""
        ...

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        """The value for each query. A failed query came back empty and scores as an empty answer."""
        ...
