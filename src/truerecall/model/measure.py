"""Measures: named qualities of an answer, and their scores."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Booleans, Floats, Integers, Texts, frozen

NO_TRUE_NEIGHBOUR = "no eligible row"
"""Why any measure against the truth is undefined for a query for which no row qualifies."""

NOTHING = -1
"""The code that pads the lists of Answers. It is never an id."""


@dataclass(frozen=True)
class MeasureName:
    """A measure and its depth, written ``recall@10``: one spelling for code, flags, files and table headers."""

    base: str
    k: int

    def __str__(self) -> str:
        return f"{self.base}@{self.k}"

    @classmethod
    def parse(cls, text: str, *, default_k: int | None = None) -> MeasureName:
        """``recall@10``, or ``recall`` where a default depth is given. Raises InputError."""
        match = re.fullmatch(r"([a-z][a-z0-9_-]*)(?:@([0-9]+))?", text.strip().lower())
        depth = match[2] if match else None
        if match is None or (depth is None and default_k is None) or (depth is not None and int(depth) < 1):
            raise InputError(f"{text!r} does not name a measure", "write a name and a depth, as in recall@10")
        return cls(match[1].replace("-", "_"), int(depth) if depth is not None else (default_k or 0))


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

    def per_query(self, answers: Answers, k: int) -> PerQuery:
        """The value for each query. A failed query came back empty and scores as an empty answer."""
        ...


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
