"""Does a claim about latency rest on callers who wait? Then it is about the time of a call, not about waiting times.

It fires where latencies are compared: all modes of a run are closed loops, in which a stall delays one call and none of
those that would have arrived meanwhile. Two sides with equal medians may let callers wait unequally.
"""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.check import code_of
from truerecall.model.comparison import Comparison, Side
from truerecall.model.finding import Finding


class ClaimInClosedLoop:
    title = "a claim about latency from a closed loop"

    def examine(self, comparison: Comparison, sides: Sequence[Side]) -> Finding | None:
        if not comparison.equal_quality:
            return None
        passes = [own for side in sides for entrant in side.entrants for own in entrant.passes]
        modes = sorted({own.mode for own in passes})
        return Finding(
            code_of(__name__),
            "warning",
            f"the latencies that are compared come from a closed loop ({', '.join(modes)}): they show the time of a"
            " call, and no stall makes others wait",
            "claim no more than the time of a call; for waiting times send queries at a fixed rate",
            {"modes": modes, "rows": len(comparison.equal_quality)},
        )


check = ClaimInClosedLoop()
