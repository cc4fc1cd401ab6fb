"""Between the arrays of the nouns and the columns of a table."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa

from truerecall.model.arrays import Ids, Integers, frozen, texts
from truerecall.model.ids import IDS_AT_ONCE, as_ids
from truerecall.model.neighbors import Neighbors

UUID_BYTES = 16


def id_array(ids: Ids) -> pa.Array:
    """Ids as a column of their own type."""
    if ids.dtype.kind != "T":
        return pa.array(ids)
    # Strings take several times as much as objects of Python: not all at once.
    parts = [ids[start : start + IDS_AT_ONCE] for start in range(0, len(ids), IDS_AT_ONCE)] or [ids]
    return pa.concat_arrays([pa.array(part.tolist(), pa.large_string()) for part in parts])


def ids_from(column: pa.Array | pa.ChunkedArray, *, what: str) -> Ids:
    """A column of ids as an id array; ``what`` names it in messages.

    UUIDs, which are a column of that type or of 16 bytes a value, become strings in their canonical lower case, whose
    order is that of the bytes. Strings that merely read as UUIDs stay as they are.
    """
    array = pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_fixed_size_binary(array.type) and array.type.byte_width == UUID_BYTES:
        return texts([str(UUID(bytes=value)) for value in array.to_pylist()])
    if pa.types.is_string_view(array.type):
        array = array.cast(pa.large_string())
    if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        parts = [array.slice(start, IDS_AT_ONCE) for start in range(0, len(array), IDS_AT_ONCE)] or [array]
        return frozen(np.concatenate([as_ids(np.asarray(part.to_pylist(), dtype=object), what=what) for part in parts]))
    return as_ids(array.to_numpy(zero_copy_only=False), what=what)


def neighbor_columns(neighbors: Neighbors, *, prefix: str = "") -> dict[str, pa.Array]:
    """``neighbor_ids`` and ``distances``, a list per query; the distance of an unknown id is null. ``prefix``: what
    stands before both names."""
    offsets = pa.array(neighbors.offsets)
    distances = pa.array(neighbors.distances, from_pandas=True)
    return {
        f"{prefix}neighbor_ids": pa.LargeListArray.from_arrays(offsets, id_array(neighbors.ids)),
        f"{prefix}distances": pa.LargeListArray.from_arrays(offsets, distances),
    }


def neighbors_from(table: pa.Table, *, what: str, prefix: str = "") -> Neighbors:
    """The inverse of ``neighbor_columns``."""
    lists = _single(table.column(f"{prefix}neighbor_ids"))
    distances = _single(table.column(f"{prefix}distances")).flatten().to_numpy(zero_copy_only=False)
    offsets: Integers = lists.offsets.to_numpy().astype(np.int64)
    return Neighbors(ids_from(lists.flatten(), what=what), np.asarray(distances, np.float64), offsets - offsets[0])


def _single(column: pa.ChunkedArray) -> Any:
    return pa.concat_arrays(column.chunks)
