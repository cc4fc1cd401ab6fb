"""The vectors of a table of LanceDB, streamed at one version of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from truerecall.engines._lancedb_table import VectorTable
from truerecall.errors import UnknownName
from truerecall.model.arrays import Integers, Vectors
from truerecall.model.attributes import Attributes, Column
from truerecall.model.ids import as_ids
from truerecall.model.source import HereAlone
from truerecall.model.vectors import Corpus
from truerecall.store.attributes.table import column_from

ROW_ID = "_rowid"


@dataclass(frozen=True, eq=False)
class TableSource(HereAlone):
    """The rows that have a vector. ``numbers`` are LanceDB's own of the rows: it gives rows in an order of its own."""

    opened: VectorTable
    name: str
    numbers: np.ndarray[Any, np.dtype[np.uint64]]
    bits: int | None

    @property
    def rows(self) -> int:
        return len(self.numbers)

    @property
    def dimensions(self) -> int:
        return self.opened.dimensions

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.opened.dtype

    def blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, Vectors]]:
        for first in range(start, self.rows, rows):
            yield first, self.take(np.arange(first, min(first + rows, self.rows)))

    def take(self, rows: Integers) -> Vectors:
        wanted = self.numbers[rows]
        distinct = np.unique(wanted)
        if not len(distinct):
            return np.empty((0, self.dimensions), self.dtype)
        asked = self.opened.table.take_row_ids(distinct.tolist()).select([self.opened.vector]).with_row_id()
        found = asked.to_arrow().combine_chunks()
        numbers = found[ROW_ID].to_numpy()
        vectors = pa.concat_arrays(found[self.opened.vector].chunks).flatten().to_numpy(zero_copy_only=False)
        order = np.argsort(numbers)
        places = order[np.searchsorted(numbers, wanted, sorter=order)]
        return np.ascontiguousarray(vectors.reshape(-1, self.dimensions)[places])


@dataclass(frozen=True, eq=False)
class TableAttributes:
    """The other columns of the same rows at the same version."""

    source: TableSource

    def read(self, names: Iterable[str]) -> Attributes:
        """See AttributeSource."""
        return Attributes({name: self._column(name) for name in names})

    def _column(self, name: str) -> Column:
        table, numbers = self.source.opened.table, self.source.numbers
        if name not in table.schema.names:
            raise UnknownName(f"column of {self.source.name}", name, table.schema.names)
        found = table.search().select([name]).with_row_id(True).to_arrow()
        order = np.argsort(found[ROW_ID].to_numpy())
        places = order[np.searchsorted(found[ROW_ID].to_numpy(), numbers, sorter=order)]
        return column_from(found[name].take(pa.array(places)), what=f"{self.source.name} column {name}")


def table_corpus(opened: VectorTable) -> Corpus:
    """All rows that have a vector. Bytes are taken for packed bits, eight to each."""
    kept = opened.table.search().where(f"`{opened.vector}` IS NOT NULL").select([opened.id]).with_row_id(True)
    found = kept.to_arrow()
    ids = as_ids(_plain(found[opened.id]), what=f"{opened.table.name}.{opened.id}")
    bits = 8 * opened.dimensions if opened.dtype == np.uint8 else None
    source = TableSource(opened, opened.table.name, found[ROW_ID].to_numpy(), bits)
    return Corpus(source, ids, attributes=TableAttributes(source))


def _plain(column: Any) -> Any:
    if pa.types.is_integer(column.type):
        return column.to_numpy()
    return np.array(column.to_pylist(), dtype=np.dtypes.StringDType())
