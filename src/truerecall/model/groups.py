"""Which queries belong together: clusters that are drawn as a whole, and strata that are told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Booleans, Ids, Integers, Texts, frozen, texts

Grouping = Mapping[Any, Any] | Sequence[Any] | np.ndarray
"""What each query belongs to: by its id, or a value for each in the order of the truth's queries."""


@dataclass(frozen=True, eq=False)
class Groups:
    """One entry per query, in the order of the truth's queries; None where queries are not grouped that way.

    ``clusters``: a number for each cluster; queries of one (paraphrases, or queries of one source) say less than as
    many others, and are resampled as a whole. ``strata``: the name of the part of the traffic that a query stands for.
    """

    clusters: Integers | None = None
    strata: Texts | None = None

    def __post_init__(self) -> None:
        for name in ("clusters", "strata"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, frozen(getattr(self, name)))

    @classmethod
    def of(cls, query_ids: Ids, *, clusters: Grouping | None = None, strata: Grouping | None = None) -> Groups:
        """From plain values. Raises InputError where a query has none."""
        return cls(
            None if clusters is None else np.unique(_values(clusters, query_ids, "clusters"), return_inverse=True)[1],
            None if strata is None else _values(strata, query_ids, "strata"),
        )

    def chosen(self, queries: Booleans) -> Groups:
        """The groups of some of the queries (True for each)."""
        return Groups(
            None if self.clusters is None else self.clusters[queries],
            None if self.strata is None else self.strata[queries],
        )


UNGROUPED = Groups()


def _values(given: Grouping, query_ids: Ids, what: str) -> Texts:
    if isinstance(given, Mapping):
        names = query_ids.tolist()
        missing = [name for name in names if name not in given]
        if missing:
            raise InputError(
                f"the {what} name {len(names) - len(missing)} of {len(names)} queries (missing: {missing[0]})",
                "name the group of every query, by its id",
            )
        return texts([str(given[name]) for name in names])
    if len(given) != len(query_ids):
        raise InputError(f"there are {len(given)} {what} and {len(query_ids)} queries", "give one for each query")
    return texts([str(value) for value in given])
