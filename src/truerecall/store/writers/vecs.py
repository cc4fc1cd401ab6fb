"""Lists of int32, each after its own length: the TEXMEX format .ivecs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from truerecall.model.foreign import ForeignLists
from truerecall.store.writers._matrix import small_id_matrix


def write_ivecs(path: Path, lists: ForeignLists) -> None:
    """Short lists are filled up with -1, so that all records have one size."""
    ids = small_id_matrix(lists, ".ivecs")
    path.write_bytes(np.hstack([np.full((len(ids), 1), ids.shape[1], "<i4"), ids]).astype("<i4").tobytes())
