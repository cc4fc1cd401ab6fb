"""The formats of the big-ann benchmarks: two little-endian uint32, rows and dimensions, and then all values.

``.fbin`` holds float32, ``.hbin`` float16, ``.u8bin`` uint8 and ``.i8bin`` int8. Neighbour files, ``.ibin``,
``.knn`` or without an ending, hold the ids of all queries as 32-bit integers and then, in some, their distances as
float32.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from truerecall.model.foreign import ForeignLists
from truerecall.store.readers._lists import PADDED, lists_of_matrix
from truerecall.store.readers._records import RecordSource, announced_bytes, demand_size, header, record_source
from truerecall.store.readers._sniff import not_of_format

VECTORS = {".fbin": "<f4", ".hbin": "<f2", ".u8bin": "u1", ".i8bin": "i1"}
HEADER_BYTES = 8
ALL_ONES = 2**32 - 1
"""-1 where ids are written as uint32."""


def open_bin(path: Path) -> RecordSource:
    """The vectors in a .fbin, .hbin, .u8bin or .i8bin file."""
    ending = path.suffix.lower()
    rows, dimensions = header(path, ending, 2)
    return record_source(path, ending, rows, dimensions, np.dtype(VECTORS[ending]), start=HEADER_BYTES)


def bin_lists(path: Path) -> ForeignLists:
    """The neighbour lists in a big-ann file, with distances where the size of the file says so."""
    ending = path.suffix.lower() or "big-ann"
    queries, k = header(path, ending, 2)
    if not queries or not k:
        raise not_of_format(path, ending, f"{queries} lists of {k} neighbours announced")
    with_distances = path.stat().st_size - HEADER_BYTES == announced_bytes(queries, k, 8)
    if not with_distances:
        demand_size(path, ending, queries, k, np.dtype("<u4"), start=HEADER_BYTES)
    count = announced_bytes(queries, k, 1)
    with path.open("rb") as file:
        file.seek(HEADER_BYTES)
        ids = np.fromfile(file, "<u4", count).astype(np.int64).reshape(queries, k)
        distances = np.fromfile(file, "<f4", count).reshape(queries, k) if with_distances else None
    ids[ids == ALL_ONES] = PADDED
    return lists_of_matrix(ids, what=str(path), padding=PADDED, distances=distances)
