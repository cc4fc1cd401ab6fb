"""An axis of shares that is stretched towards 1, where most of many points lie: by the logarithm of what is missed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

CROWD = 24
"""From so many dots on a picture is crowded."""
UPPER = 0.9
"""Where at least half of a crowd lies above it, and some of it below."""
LEAST = 1e-5


@dataclass(frozen=True)
class Stretch:
    """Heights are powers of ten by which misses are fewer than all. ``least``: the share of misses at which the axis
    ends; where fewer were missed, or none, a point lies at that end."""

    least: float

    @property
    def top(self) -> float:
        return self.height(1.0)

    def height(self, share: float) -> float:
        return -math.log10(max(1 - share, self.least))


def stretch_of(shares: Sequence[float]) -> Stretch | None:
    """None where the points have room on a plain axis."""
    upper = sum(share >= UPPER for share in shares)
    missed = [1 - share for share in shares if share < 1]
    if len(shares) < CROWD or 2 * upper < len(shares) or upper == len(shares):
        return None
    return Stretch(max(min(missed) / 2, LEAST))
