"""A plain Parquet table: ``query_id``, ``neighbor_ids`` and ``distances``, a row per query."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from truerecall.model.foreign import ForeignLists
from truerecall.store.columns import id_array


def write_parquet(path: Path, lists: ForeignLists) -> None:
    """Ids of any type, lists of any length."""
    offsets = pa.array(lists.offsets)
    columns = {"neighbor_ids": pa.LargeListArray.from_arrays(offsets, id_array(lists.ids))}
    if lists.query_ids is not None:
        columns = {"query_id": id_array(lists.query_ids), **columns}
    if lists.distances is not None:
        columns["distances"] = pa.LargeListArray.from_arrays(offsets, pa.array(lists.distances))
    pq.write_table(pa.table(columns), path, compression="zstd")
