"""Labels: which rows a judge calls relevant to which query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Floats, Ids, frozen
from truerecall.model.ids import NO_ROW, rows_of


@dataclass(frozen=True, eq=False)
class Labels:
    """Pairs that ``judge`` graded above zero, 1 where it gave no ``grades``; all others have the grade 0.

    A pair whose grade is at least ``relevant_from`` is relevant where a measure asks for yes or no.
    """

    judge: str
    query_ids: Ids
    ids: Ids
    grades: Floats | None = None
    relevant_from: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "query_ids", frozen(self.query_ids))
        object.__setattr__(self, "ids", frozen(self.ids))
        grades = np.ones(len(self.ids)) if self.grades is None else np.asarray(self.grades, np.float64)
        object.__setattr__(self, "grades", frozen(grades))

    def demand_some_of(self, query_ids: Ids) -> None:
        """Raises InputError where no label is about any of these queries: they are the labels of something else."""
        if not bool((rows_of(self.query_ids, query_ids) != NO_ROW).any()):
            raise InputError(
                f"the labels of {self.judge} name queries such as {self.query_ids[0]}, and none of the"
                f" {len(query_ids)} queries at hand, such as {query_ids[0]}",
                "give the labels of these queries, by their ids",
            )
