"""Whether a paired difference could be chance: the sign-flip test, what it could show at best, and Holm's correction.

Where neither of two settings is better, each difference is as likely to have the other sign. Sources: Fisher (1935),
"The design of experiments", section 21; Holm (1979), "A simple sequentially rejective multiple test procedure",
Scandinavian Journal of Statistics 6, 65-70.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ENUMERATED = 16
"""Up to so many differing units all assignments of signs are tried; beyond, FLIPS random ones."""
FLIPS = 9_999
ROUNDING = 1e-12
BITS_AT_ONCE = 1 << 22


def sign_flip_p(differences: Floats, *, seed: int, flips: int = FLIPS) -> tuple[float, str]:
    """The two-sided p of the sum of the differences, one per unit, and how it was had: ``exact`` or ``sampled``.

    Units that do not differ say nothing either way. A sampled p counts the observed signs among the flips, so that it
    is never 0.
    """
    differing = np.sort(differences[differences != 0])
    if not len(differing):
        return 1.0, "exact"
    reached = abs(float(differing.sum())) - ROUNDING * float(np.abs(differing).sum())
    if len(differing) <= ENUMERATED:
        numbers = np.arange(1 << len(differing))[:, None] >> np.arange(len(differing)) & 1
        return float((_sums(numbers, differing) >= reached).mean()), "exact"
    random = np.random.default_rng(seed)
    hits, done, width = 0, 0, -(-len(differing) // 8)
    step = max(1, BITS_AT_ONCE // len(differing))
    while done < flips:
        rows = min(step, flips - done)
        drawn = np.frombuffer(random.bytes(rows * width), np.uint8).reshape(rows, width)
        hits += int((_sums(np.unpackbits(drawn, axis=1, count=len(differing)), differing) >= reached).sum())
        done += rows
    return (hits + 1) / (flips + 1), "sampled"


def smallest_p(units: int) -> float:
    """The smallest p that the test can give for so many units, all of them differing and all the same way."""
    return min(1.0, max(2.0 / 2.0 ** min(units, 60), 0.0 if units <= ENUMERATED else 1.0 / (FLIPS + 1)))


def holm(ps: Sequence[float]) -> list[float]:
    """The p of each of several tests, raised so that 5 % holds for all of them together."""
    raised = [0.0] * len(ps)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda place: ps[place])):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[place]))
        raised[place] = highest
    return raised


def _sums(bits: NDArray[np.uint8] | NDArray[np.int64], differing: Floats) -> Floats:
    """The absolute sum for each row of signs, where a bit of 1 keeps the sign and 0 turns it."""
    return np.asarray(np.abs(2.0 * (bits.astype(np.float64) @ differing) - differing.sum()))
