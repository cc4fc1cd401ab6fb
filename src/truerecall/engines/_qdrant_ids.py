"""The ids of Qdrant: whole numbers from 0 to 2^64 - 1, and UUIDs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Ids
from truerecall.model.ids import as_ids

LARGEST_SIGNED = 2**63 - 1


def plain_id(given: Any) -> int | str:
    """An id as it is in the engine; a UUID as its canonical lower-case string."""
    return given if isinstance(given, int) else str(UUID(str(given)))


def id_array(ids: Sequence[int | str], *, what: str) -> Ids:
    """The ids of all rows. Raises InputError where numbers and UUIDs are mixed: an array of ids has one kind."""
    numbers = sum(isinstance(given, int) for given in ids)
    if numbers not in (0, len(ids)):
        raise InputError(f"{what} has {numbers} numbers and {len(ids) - numbers} UUIDs as ids", "give ids of one kind")
    if not numbers:
        return as_ids(np.array(ids, dtype=np.dtypes.StringDType()), what=what)
    wide = max(int(given) for given in ids) > LARGEST_SIGNED
    return as_ids(np.array(ids, dtype=np.uint64 if wide else np.int64), what=what)
