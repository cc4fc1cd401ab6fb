"""Is much of the latency that of the loop around the engine? An empty engine in the same loop tells.

It fires where its median is more than a tenth of the p50 that is quoted; it is a warning from half on, where the number
is about the loop more than about the engine (H28: 67 ms of process start in each 70 ms sample).
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.curve import Latency
from truerecall.model.finding import Finding

HEAVY, MOST = 0.1, 0.5


class HarnessTooHeavy:
    title = "a latency that is largely the harness's own"

    def examine(self, latency: Latency) -> Finding | CannotTell | None:
        if not latency.p50_s:
            return CannotTell("there is no median")
        if not latency.harness_s:
            return CannotTell("no empty engine was measured in the same loop")
        share = latency.harness_s / latency.p50_s
        if share <= HEAVY:
            return None
        return Finding(
            code_of(__name__),
            "warning" if share >= MOST else "note",
            f"an empty engine takes {latency.harness_s * 1e6:.2f} µs in the same loop, {share:.0%} of the"
            f" {latency.p50_s * 1e6:.2f} µs of p50: so much of it is the harness's own",
            "compare engines on searches that take longer (more rows, more effort), or in batches",
            {"harness_s": latency.harness_s, "p50_s": latency.p50_s, "share": share},
        )


check = HarnessTooHeavy()
