"""Lists that end too early are the outcome of a truncated pass, and no truth."""

from __future__ import annotations

import numpy as np

from truerecall.errors import FormatError
from truerecall.model.arrays import Ids, Integers


def demand_complete(query_ids: Ids, lengths: Integers, wanted: Integers, *, name: str, remedy: str) -> None:
    """Raises FormatError, with the first such query, unless every list is as long as ``wanted``: min(k, eligible)."""
    wrong = np.flatnonzero(lengths != wanted)
    if len(wrong):
        query = wrong[0]
        raise FormatError(
            f"{name} is the outcome of a truncated pass: {len(wrong)} of {len(lengths)} lists have another length than"
            f" k and the eligible rows allow (query {query_ids[query]}: {lengths[query]} of {wanted[query]})",
            remedy,
        )
