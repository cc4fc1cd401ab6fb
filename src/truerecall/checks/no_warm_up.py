"""Was anything asked before the clock ran? The first calls pay for what later ones find ready.

It fires where no warm-up call was made: the first calls after loading are the slowest everywhere (paradedb#4789), and
at a few hundred calls they are the 95th percentile.
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.curve import Latency
from truerecall.model.finding import Finding


class NoWarmUp:
    title = "latency without a warm-up"

    def examine(self, latency: Latency) -> Finding | CannotTell | None:
        if not latency.calls:
            return CannotTell("no call was answered")
        if latency.warmup_calls:
            return None
        return Finding(
            code_of(__name__),
            "warning",
            f"none of the {latency.calls:,} timed calls had a warm-up call before it: the first ones pay for pages,"
            " caches and threads that later ones find ready",
            "ask some queries first and forget them: --warmup 100",
            {"calls": latency.calls, "warmup_calls": 0},
        )


check = NoWarmUp()
