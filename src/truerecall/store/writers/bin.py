"""The big-ann format .ibin: two uint32, queries and k, and then all ids as int32."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from truerecall.model.foreign import ForeignLists
from truerecall.store.writers._matrix import small_id_matrix


def write_ibin(path: Path, lists: ForeignLists) -> None:
    ids = small_id_matrix(lists, ".ibin")
    path.write_bytes(np.array(ids.shape, "<u4").tobytes() + ids.tobytes())
