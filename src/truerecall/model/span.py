"""How long a call takes, and how much that varies from pass to pass: which of two settings is sooner."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """A p50 in seconds and the p50 of every pass behind it. A single pass has no spread."""

    p50_s: float
    passes_s: tuple[float, ...]

    @property
    def ends_s(self) -> tuple[float, float] | None:
        """The lowest and the highest p50 over the passes; None for fewer than two."""
        return (min(self.passes_s), max(self.passes_s)) if len(self.passes_s) > 1 else None

    def sooner_than(self, other: Span) -> bool:
        """Whether its p50 is lower by more than either spread over the passes, which do not overlap.

        Difference and spread are ratios: what makes a machine slow makes it slow by a factor. Where a side has a single
        pass nothing is known of its spread, and the other's alone decides.
        """
        own, its = self.ends_s or (self.p50_s, self.p50_s), other.ends_s or (other.p50_s, other.p50_s)
        spread = max(_ratio(own[1], own[0]), _ratio(its[1], its[0]))
        return own[1] < its[0] and _ratio(other.p50_s, self.p50_s) > spread


def _ratio(longer_s: float, shorter_s: float) -> float:
    return longer_s / shorter_s if shorter_s else math.inf
