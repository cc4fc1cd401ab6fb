"""The TEXMEX formats: each row follows its own dimension as a little-endian int32.

``.fvecs`` holds float32, ``.bvecs`` uint8 and ``.ivecs`` int32, which are the neighbours of queries.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from truerecall.model.foreign import ForeignLists
from truerecall.store.readers._lists import PADDED, lists_of_matrix
from truerecall.store.readers._records import RecordSource, header, record_source
from truerecall.store.readers._sniff import LARGEST_DIMENSION, not_of_format

VECTORS = {".fvecs": "<f4", ".bvecs": "u1"}


def open_vecs(path: Path) -> RecordSource:
    """The vectors in a .fvecs or .bvecs file. The dimension before every row is verified as the row is read."""
    ending = path.suffix.lower()
    return _open(path, ending, np.dtype(VECTORS[ending]))


def ivecs_lists(path: Path) -> ForeignLists:
    """The neighbour lists in a .ivecs file, padded with -1."""
    source = _open(path, ".ivecs", np.dtype("<i4"))
    return lists_of_matrix(source.take(np.arange(source.rows)), what=str(path), padding=PADDED)


def _open(path: Path, ending: str, stored: np.dtype[np.generic]) -> RecordSource:
    (dimension,) = header(path, ending, 1)
    if not 0 < dimension <= LARGEST_DIMENSION:
        raise not_of_format(path, ending, f"the first row announces {dimension} dimensions")
    row_bytes = 4 + dimension * stored.itemsize
    size = path.stat().st_size
    if size % row_bytes:
        seen = f"{size} bytes are not a multiple of {row_bytes}, which a row of {dimension} dimensions takes"
        raise not_of_format(path, ending, seen)
    with path.open("rb") as file:
        file.seek(size - row_bytes)
        last = int(np.frombuffer(file.read(4), "<u4")[0])
    if last != dimension:
        raise not_of_format(path, ending, f"the first row announces {dimension} dimensions and the last one {last}")
    return record_source(path, ending, size // row_bytes, dimension, stored, start=0, dimension_first=True)
