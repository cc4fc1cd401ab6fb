"""How many are drawn from each stratum. Never more than it holds; the same for the same counts.

Every function takes ``held``, how many each stratum holds, and returns as many counts in the same order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def equal_quotas(held: Integers, n: int) -> Integers:
    """``n`` in equal parts, whatever the strata hold; what does not divide goes to the largest strata, one each."""
    quotas = np.full(len(held), n // len(held), np.int64)
    quotas[np.argsort(-held, kind="stable")[: n % len(held)]] += 1
    return quotas


def equal(held: Integers, n: int) -> Integers:
    """As equal as the strata allow: a stratum that holds less than its part gives all it has, and the others share
    what is left. The sum is ``n``, or everything where that is less."""
    n = min(n, int(held.sum()))
    level, too_high = 0, n + 1
    while too_high - level > 1:  # the highest level up to which every stratum can be filled
        middle = (level + too_high) // 2
        if int(np.minimum(held, middle).sum()) <= n:
            level = middle
        else:
            too_high = middle
    drawn = np.minimum(held, level)
    largest = np.argsort(-held, kind="stable")
    has_more = largest[held[largest] > level]
    drawn[has_more[: n - int(drawn.sum())]] += 1
    return drawn


def proportional(held: Integers, n: int) -> Integers:
    """In proportion to what the strata hold, by largest remainders, ties to the earlier stratum. The sum is ``n``, or
    everything where that is less."""
    total = int(held.sum())
    n = min(n, total)
    if not n:
        return np.zeros(len(held), np.int64)
    # In Python's integers, which do not overflow.
    products = [n * int(count) for count in held]
    drawn = np.array([product // total for product in products], np.int64)
    remainders = np.array([product % total for product in products], dtype=object)
    order = sorted(range(len(held)), key=lambda place: (-remainders[place], place))
    drawn[order[: n - int(drawn.sum())]] += 1
    return drawn


def fixed(held: Integers, count: int) -> Integers:
    """``count`` from each stratum, or all that it holds."""
    return np.minimum(held, count)
