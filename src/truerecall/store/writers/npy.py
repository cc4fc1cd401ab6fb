"""A matrix of ids in NumPy's .npy format."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from truerecall.model.foreign import ForeignLists
from truerecall.store.writers._matrix import id_matrix


def write_npy(path: Path, lists: ForeignLists) -> None:
    """Shape (queries, k): int64, uint64 or strings."""
    with path.open("wb") as file:
        np.save(file, id_matrix(lists), allow_pickle=False)
