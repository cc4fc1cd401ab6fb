"""How many of the first k true neighbours are among the first k places of an answer.

Lists come as integer codes, one row per query; a negative code is padding and is never an id.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


def overlap(truth: Integers, found: Integers, k: int) -> tuple[Integers, Integers]:
    """For each query the hits, and how many hits there could be.

    ``truth`` (queries, depth) and ``found`` (queries, longest answer) are cut to their first k columns. A repeated
    code counts once; a code of the answer that the truth does not hold keeps its place and is a miss. The second
    array is the number of true neighbours after the cut: the divisor of recall.
    """
    true, answer = truth[:, :k], found[:, :k]
    # One sort of both sides: in it a code that both hold shows as one step from the side of the truth (even) to the
    # side of the answer (odd), however often either side repeats it.
    keys = np.concatenate([2 * true, 2 * answer + 1], axis=1)
    keys.sort(axis=1)
    left, right = keys[:, :-1], keys[:, 1:]
    hits = ((right - left == 1) & (left % 2 == 0) & (left >= 0)).sum(axis=1)
    return hits.astype(np.int64), (true >= 0).sum(axis=1).astype(np.int64)


def listed(codes: Integers, lists: tuple[Integers, ...]) -> Booleans:
    """For each entry of ``codes`` (queries, depth) whether it is in the list of its own query; padding never is."""
    span = 1 + max((int(part.max()) for part in (codes, *lists) if part.size), default=0)
    queries = np.arange(len(lists), dtype=np.int64)
    of_query = np.repeat(queries, [len(part) for part in lists])
    pairs = of_query * span + (np.concatenate(lists) if lists else np.empty(0, np.int64))
    return np.isin(queries[:, None] * span + codes, pairs) & (codes >= 0)
