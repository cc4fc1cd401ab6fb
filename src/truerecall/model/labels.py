"""Labels: which rows a judge calls relevant to which query."""

from __future__ import annotations

from dataclasses import dataclass

from truerecall.model.arrays import Ids, frozen


@dataclass(frozen=True, eq=False)
class Labels:
    """Pairs that ``judge`` calls relevant. A pair that is not listed is not relevant."""

    judge: str
    query_ids: Ids
    ids: Ids

    def __post_init__(self) -> None:
        object.__setattr__(self, "query_ids", frozen(self.query_ids))
        object.__setattr__(self, "ids", frozen(self.ids))
