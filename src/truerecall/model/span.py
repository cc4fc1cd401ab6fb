"""How long a call takes, and how much that varies from pass to pass: which of two settings is sooner."""

from __future__ import annotations

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

        Where a side has a single pass nothing is known of its spread, and the other's alone decides.
        """
        own, its = self.ends_s or (self.p50_s, self.p50_s), other.ends_s or (other.p50_s, other.p50_s)
        spread = max(own[1] - own[0], its[1] - its[0])
        return own[1] < its[0] and other.p50_s - self.p50_s > spread
