"""Tables of LanceDB: opened, their columns, their index."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from truerecall.engines._address import parsed
from truerecall.engines._lancedb_library import lancedb
from truerecall.engines._lancedb_words import LARGEST
from truerecall.errors import EngineFailed, InputError
from truerecall.model.arrays import Vectors

TABLE, ID, VECTOR, INDEX, DISTANCE = "vectors", "id", "vector", "vector_index", "_distance"
PARTITIONS = "partitions_ranked"


@dataclass(frozen=True, eq=False)
class VectorTable:
    """A table that is open, and which of its columns are meant. Opened for reading it stays at one version."""

    table: Any
    id: str
    vector: str

    @property
    def dimensions(self) -> int:
        return int(self.table.schema.field(self.vector).type.list_size)

    @property
    def dtype(self) -> np.dtype[Any]:
        element: np.dtype[Any] = np.dtype(self.table.schema.field(self.vector).type.value_type.to_pandas_dtype())
        return element

    def index(self) -> tuple[Any, Any] | None:
        """What LanceDB says of the index of the vectors and of its reach; None where they have none."""
        for index in self.table.list_indices():
            if index.columns == [self.vector]:
                return index, self.table.index_stats(index.name)
        return None

    def query(self, vector: Any, distance: str, k: int) -> Any:
        """A search by LanceDB's own word for a distance, for ids alone."""
        asked = self.table.search(vector, vector_column_name=self.vector, query_type="vector")
        return asked.distance_type(distance).select([self.id, DISTANCE]).limit(k)

    def some_vector(self) -> Vectors:
        """One that has a direction: plans do not depend on its values."""
        return np.ones(self.dimensions, self.dtype)

    def partitions_plan(self) -> str:
        """The analysed plan of a search through all partitions of the index."""
        found = self.index()
        if found is None:
            return ""
        asked = self.query(self.some_vector(), found[1].distance_type, 1)
        return str(asked.nprobes(LARGEST).analyze_plan())


def opened(folder: Path, name: str = TABLE) -> Any:
    try:
        return lancedb.connect(str(folder)).open_table(name)
    except Exception as error:  # the binding raises ValueError, RuntimeError and others for the same
        raise EngineFailed(f"LanceDB cannot open {name} in {folder}: {error}", "see whether it is whole") from None


def opened_for_reading(name: str) -> VectorTable:
    """The table ``FOLDER/TABLE.lance?id=ID&vector=COLUMN`` as it stands now, whatever is written to it later."""
    place, said = parsed(name, ("id", "vector"))
    folder = Path(place)
    if folder.suffix != ".lance" or not folder.is_dir():  # LanceDB would make a folder that is missing
        raise InputError(f"{place} is no table of LanceDB", "name its folder, as FOLDER/TABLE.lance")
    table = opened(folder.parent, folder.stem)
    table.checkout(table.version)
    columns = {field.name: field.type for field in table.schema}
    vectors = [name for name, kind in columns.items() if pa.types.is_fixed_size_list(kind)]
    vector = said.get("vector", vectors[0] if len(vectors) == 1 else "")
    if vector not in vectors:
        raise InputError(f"{place} has no column of vectors {vector!r}", _one_of("vector", vectors))
    own = said.get("id", ID)
    naming = [name for name, kind in columns.items() if _names_rows(kind)]
    if own not in naming:
        raise InputError(f"{place} has no column of ids {own!r}", _one_of("id", naming))
    return VectorTable(table, own, vector)


def reason(error: Exception) -> str:
    """LanceDB's own words without the place in its source."""
    return str(error).split(", /")[0].removeprefix("lance error: ").strip()


def _names_rows(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _one_of(part: str, names: list[str]) -> str:
    return f"name one as ?{part}=COLUMN; there are: {', '.join(names) or 'none'}"
