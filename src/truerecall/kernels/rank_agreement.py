"""How far two rankings agree, one pair of rankings a row.

Sources: Webber, Moffat and Zobel (2010), "A similarity measure for indefinite rankings", ACM TOIS 28(4), equation 32;
Kendall (1945), "The treatment of ties in ranking problems", Biometrika 33, 239-251.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


def extrapolated_overlap(first: Integers, second: Integers, shared: Booleans, depth: Integers, p: float) -> Floats:
    """RBO, extrapolated from ``depth``: (1-p)/p sum over d of p^d X_d/d, plus p^depth X_depth/depth.

    ``first`` and ``second`` (rows, items): the ranks of an item on both sides, from 1 on, where it is ``shared``; X_d
    is how many are shared by the first d of both. 0 where the depth is 0.
    """
    enters = np.where(shared, np.maximum(first, second), np.iinfo(np.int64).max)
    inside = enters <= depth[:, None]
    deepest = int(depth.max(initial=0))
    steps = np.arange(1, deepest + 1)
    sums = np.concatenate([[0.0], np.cumsum(p**steps / steps)])
    parts = np.where(inside, sums[depth][:, None] - sums[np.where(inside, enters, 1) - 1], 0.0)
    last = inside.sum(axis=1) / np.maximum(depth, 1) * p**depth
    return np.asarray((1.0 - p) / p * parts.sum(axis=1) + np.where(depth > 0, last, 0.0))


def tau_b(ranks: Integers, shared: Booleans) -> tuple[Floats, Booleans]:
    """Kendall's tau-b between ``ranks`` (rows, items, from 0 on, below 65,534) and the order of the columns, over the
    ``shared`` ones; and where it is defined: two items shared that do not tie.

    Items of one rank are tied on both sides, since no order of theirs is the right one: such pairs drop out.
    """
    count = shared.sum(axis=1)
    small = np.uint8 if ranks.max(initial=0) < 250 else np.uint16
    # An item that is not shared comes before nothing as the earlier of a pair, and after everything as the later.
    earlier = np.ascontiguousarray(np.where(shared, ranks + 1, 0).T.astype(small))
    later = np.ascontiguousarray(np.where(shared, ranks + 1, np.iinfo(small).max).T.astype(small))
    falls, ties = np.zeros((2, len(ranks)), np.int64)
    for column in range(1, len(earlier)):
        falls += (earlier[:column] > later[column]).sum(axis=0)
        ties += (earlier[:column] == later[column]).sum(axis=0)
    pairs = count * (count - 1) // 2 - ties
    return np.where(pairs > 0, 1.0 - 2.0 * falls / np.maximum(pairs, 1), 0.0), pairs > 0
