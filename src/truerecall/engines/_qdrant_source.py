"""The vectors of points of Qdrant, streamed: their ids first, then the vectors by id, and what they carry likewise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.engines._qdrant_filter import path
from truerecall.engines._qdrant_ids import id_array, plain_id
from truerecall.errors import EngineFailed, InputError
from truerecall.model.arrays import Integers, Vectors
from truerecall.model.attributes import Attributes, Column
from truerecall.model.source import HereAlone
from truerecall.model.vectors import Corpus
from truerecall.store.attributes.table import column_of_values

POINTS_AT_ONCE = 1000
Scroll = Callable[[Any], tuple[Sequence[Any], Any]]
Retrieve = Callable[[list[Any]], Sequence[Any]]
Carried = Callable[[list[Any], str], Sequence[Any]]


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
            self.demand_there(wanted, by_id)
            for place, number in enumerate(wanted):
                stored = by_id[plain_id(number)]
                taken[first + place] = stored[self.vector] if isinstance(stored, dict) else stored
        return taken

    def demand_there(self, wanted: Sequence[Any], found: Mapping[int | str, Any]) -> None:
        """Raises EngineFailed where points are not among those that were found by their plain ids."""
        if missing := set(map(plain_id, wanted)) - found.keys():
            problem = f"{len(missing)} points of {self.name} have gone since their ids were read"
            raise EngineFailed(problem, "read it while nobody writes to it")


@dataclass(frozen=True, eq=False)
class PointAttributes:
    """What the same points carry. ``carried`` gives points by their ids with the field at a path alone."""

    source: PointSource
    carried: Carried

    def read(self, names: Iterable[str]) -> Attributes:
        """See AttributeSource. Qdrant knows no columns: a field that no point has is refused, and numbers are floats
        where any is one."""
        return Attributes({name: self._column(name) for name in names})

    def _column(self, name: str) -> Column:
        own, values = self.source, list[Any]()
        for first in range(0, own.rows, POINTS_AT_ONCE):
            wanted = list(own.numbers[first : first + POINTS_AT_ONCE])
            found = {plain_id(point.id): point.payload or {} for point in self.carried(wanted, path(name))}
            own.demand_there(wanted, found)
            values += [found[plain_id(number)].get(name) for number in wanted]
        if all(value is None for value in values):
            raise InputError(f"no point of {own.name} has the field {name}", "name one that they have")
        return column_of_values(values, what=f"{own.name} field {name}")


def point_corpus(
    name: str,
    vector: str,
    dimensions: int,
    datatype: str | None,
    scroll: Scroll,
    retrieve: Retrieve,
    carried: Carried,
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
    source = PointSource(name, vector, numbers, dimensions, dtype, retrieve)
    return Corpus(source, ids, attributes=PointAttributes(source, carried))
