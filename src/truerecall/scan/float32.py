"""Proposes pairs by one float32 number for each: a matrix product, or a sum of absolute differences."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from truerecall.kernels.candidates import Entered, Geometry, Singles, reaching
from truerecall.kernels.distances import order_keys
from truerecall.model.arrays import Vectors
from truerecall.scan.finish import KeysOf
from truerecall.scan.proposals import Proposed
from truerecall.scan.scratch import Scratch, Turns


class Proposer(Protocol):
    """A way to find the pairs of a tile of queries and a block of rows that reach their thresholds.

    It may propose more than those and must not miss one.
    """

    name: str
    keys_of: KeysOf

    def enter(self, block: Vectors) -> Entered:
        """The block in the form that ``propose`` works with; called from one thread."""
        ...

    def propose(self, tile: slice, entered: Entered, thresholds: Singles) -> Proposed:
        """Pairs by place in the whole query set and by place in the block; called from several threads."""
        ...


class Float32:
    name = "float32"
    keys_of: KeysOf = staticmethod(order_keys)

    def __init__(self, geometry: Geometry, queries: Entered) -> None:
        self._geometry = geometry
        self._queries = queries
        self._blocks, self._scratch = Turns(), Scratch()

    def enter(self, block: Vectors) -> Entered:
        room = self._blocks.next().array("vectors", (len(block), self._geometry.width), np.float32)
        return self._geometry.rows(block, room)

    def propose(self, tile: slice, entered: Entered, thresholds: Singles) -> Proposed:
        # Overflow and NaN are for the proof to notice; the state of warnings is each thread's own.
        with np.errstate(over="ignore", invalid="ignore"):
            shape = (tile.stop - tile.start, len(entered.own))
            numbers = self._scratch.array("numbers", shape, np.float32)
            self._geometry.numbers(self._queries.vectors[tile], entered, numbers)
            places, columns, upper = reaching(numbers, thresholds[tile], self._scratch.array("mask", shape, np.bool_))
            lower = np.subtract(upper, 2 * entered.own[columns], dtype=np.float32)
        return Proposed(places + tile.start, columns, upper, lower)
