"""A truth of which nothing is known but its lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Ids
from truerecall.model.foreign import ForeignLists, without_padding
from truerecall.model.ids import as_ids, id_kind, row_numbers
from truerecall.model.neighbors import Neighbors
from truerecall.model.truth import NOT_COUNTED, UNPROVED, GroundTruth
from truerecall.model.vectors import Fingerprint
from truerecall.steps.given_answers import as_lists
from truerecall.store.readers._lists import PADDED, refuse_holes

UNKNOWN = "unknown"


def as_truth(lists: Any, query_ids: Any = None) -> GroundTruth:
    """True ids, a row or list per query, as an ``unproved`` truth: no distances, no vectors, no counts.

    Padding at the end of a list means that no further row may answer; a list that fills its row may go on, so one row
    more than it holds is taken to be eligible.
    """
    given: ForeignLists = as_lists(lists, "the truth")
    if not len(given):
        raise InputError("the truth holds no query", "give a list of true ids for each query")
    longest = np.diff(given.offsets).max(initial=0)
    width = int(lists.shape[1] if isinstance(lists, np.ndarray) and lists.ndim == 2 else longest)
    given = _unpadded(given)
    refuse_holes(given, what="the truth")
    _refuse_repeated(given)
    lengths = np.diff(given.offsets)
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


def _unpadded(given: ForeignLists) -> ForeignLists:
    """The lists without the -1 that pads a matrix, also where it came as lists."""
    if given.ids.dtype != np.int64 or not bool((given.ids == PADDED).any()):
        return given
    held = given.ids != PADDED if given.holes is None else (given.ids != PADDED) & ~given.holes
    return without_padding(given.ids, held, np.diff(given.offsets), query_ids=given.query_ids)


def _refuse_repeated(given: ForeignLists) -> None:
    owner = np.repeat(np.arange(len(given)), np.diff(given.offsets))
    _, code = np.unique(given.ids, return_inverse=True)
    pairs = np.unique(owner * (len(given.ids) + 1) + code.ravel())
    if len(pairs) < len(given.ids):
        raise InputError(
            f"the truth repeats {len(given.ids) - len(pairs)} ids within a list", "list every true neighbour once"
        )
