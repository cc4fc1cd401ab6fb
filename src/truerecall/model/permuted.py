"""The rows of another source in another order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.model.arrays import Integers, frozen
from truerecall.model.picked import PickedSource
from truerecall.model.source import CorpusSource


@dataclass(frozen=True, eq=False)
class PermutedSource(PickedSource):
    """Row i is row ``order[i]`` of the ``source``; each of its rows occurs once."""

    source: CorpusSource
    order: Integers
    picked_bytes = 64 << 20

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", frozen(self.order))

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def numbers(self) -> Integers:
        return self.order

    def original(self, rows: Integers) -> Integers:
        """The same rows by their numbers in the source; what is no row number stays as it is."""
        known = (rows >= 0) & (rows < self.rows)
        return np.where(known, self.order[np.where(known, rows, 0)], rows)
