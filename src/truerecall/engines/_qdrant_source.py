"""The vectors of points of Qdrant, streamed: their ids first, then the vectors by id."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.engines._qdrant_ids import id_array, plain_id
from truerecall.errors import EngineFailed
from truerecall.model.arrays import Integers, Vectors
from truerecall.model.source import HereAlone
from truerecall.model.vectors import Corpus

POINTS_AT_ONCE = 1000
Scroll = Callable[[Any], tuple[Sequence[Any], Any]]
Retrieve = Callable[[list[Any]], Sequence[Any]]


@dataclass(frozen=True, eq=False)
class PointSource(HereAlone):
    """The vectors under one name, in the order in which Qdrant gives points: numbers first, by value.

    Under Cosine these are the vectors of unit length that Qdrant keeps. ``retrieve`` gives points by their ids.
    """

    name: str
    vector: str
    numbers: Sequence[Any]
    dimensions: int
    dtype: np.dtype[Any]
    retrieve: Retrieve
    bits: int | None = None

    @property
    def rows(self) -> int:
        return len(self.numbers)

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        for first in range(start, self.rows, rows):
            yield first, self.take(np.arange(first, min(first + rows, self.rows)))

    def take(self, rows: Integers) -> Vectors:
        """Raises EngineFailed where a point has gone since its id was read."""
        taken = np.empty((len(rows), self.dimensions), self.dtype)
        for first in range(0, len(rows), POINTS_AT_ONCE):
            wanted = [self.numbers[row] for row in rows[first : first + POINTS_AT_ONCE].tolist()]
            by_id = {plain_id(point.id): point.vector for point in self.retrieve(list(set(wanted)))}
            if missing := set(map(plain_id, wanted)) - by_id.keys():
                problem = f"{len(missing)} points of {self.name} have gone since their ids were read"
                raise EngineFailed(problem, "read it while nobody writes to it")
            for place, number in enumerate(wanted):
                stored = by_id[plain_id(number)]
                taken[first + place] = stored[self.vector] if isinstance(stored, dict) else stored
        return taken


def point_corpus(
    name: str, vector: str, dimensions: int, datatype: str | None, scroll: Scroll, retrieve: Retrieve
) -> Corpus:
    """All points that ``scroll`` gives, from an offset on, with the offset that follows."""
    numbers: list[Any] = []
    offset = None
    while True:
        points, offset = scroll(offset)
        numbers += [point.id for point in points]
        if offset is None:
            break
    dtype = np.dtype(np.float16 if datatype == "float16" else np.float32)
    ids = id_array([plain_id(number) for number in numbers], what=name)
    return Corpus(PointSource(name, vector, numbers, dimensions, dtype, retrieve), ids)
