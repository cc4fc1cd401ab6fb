"""A truth of which nothing is known but its lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerecall.model.arrays import Ids
from truerecall.model.foreign import ForeignLists
from truerecall.model.ids import as_ids, id_kind, row_numbers
from truerecall.model.neighbors import Neighbors
from truerecall.model.truth import NOT_COUNTED, UNPROVED, GroundTruth
from truerecall.model.vectors import Fingerprint
from truerecall.steps.given_answers import as_lists
from truerecall.store.readers._lists import refuse_holes

UNKNOWN = "unknown"


def as_truth(lists: Any, query_ids: Any = None) -> GroundTruth:
    """True ids, a row or list per query, as an ``unproved`` truth: no distances, no vectors, no counts.

    Padding at the end of a list means that no further row may answer; a list that fills its row may go on, so one row
    more than it holds is taken to be eligible.
    """
    given: ForeignLists = as_lists(lists, "the truth")
    refuse_holes(given, what="the truth")
    lengths = np.diff(given.offsets)
    width = int(lists.shape[1] if isinstance(lists, np.ndarray) and lists.ndim == 2 else lengths.max(initial=0))
    named: Ids = row_numbers(len(given)) if query_ids is None else as_ids(query_ids, what="the query ids")
    if given.query_ids is not None:
        named = given.query_ids
    uncounted = np.full(len(given), NOT_COUNTED, np.int64)
    return GroundTruth(
        distance=UNKNOWN,
        k=width,
        state=UNPROVED,
        corpus=Fingerprint("", 0, 0, "float64", id_kind(given.ids)),
        queries=Fingerprint("", len(given), 0, "float64", id_kind(named)),
        query_ids=named,
        neighbors=Neighbors(given.ids, np.full(len(given.ids), np.nan), given.offsets),
        eligible=np.where(lengths == width, width + 1, lengths),
        nearer=uncounted,
        tied=uncounted,
        copies=uncounted,
    )
