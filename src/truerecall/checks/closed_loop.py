"""Are percentiles quoted of callers who wait? While an answer stalls nobody asks, so queueing does not show.

All modes of a run are closed loops: the next query is asked when the last is answered, so a stall of one second delays
one call where an open stream of queries would feel it in every call that arrives meanwhile ("coordinated omission").
It fires where a tail is quoted (p95), and where clients share an index, whose rate is no capacity. A note on a lone
run; where a claim rests on it ``claim-in-closed-loop`` warns.
"""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding

READ_TAIL = "read p95 as the time of a call that was asked alone"
READ_RATE = "read the rate as that of callers who wait, not as a capacity"


class ClosedLoop:
    title = "a closed loop, which cannot show stalls"

    def examine(self, curve: Curve) -> Finding | None:
        mode = curve.points[0].run.setup.mode
        tails = [point.latency.p95_s for point in curve.points if point.latency.p95_s is not None]
        if not tails and mode.kind != "clients":
            return None
        asked = {"clients": f"{mode.size} clients ask", "batch": "one caller asks", "one-by-one": "one caller asks"}
        return Finding(
            code_of(__name__),
            "note",
            f"{asked[mode.kind]} the next query when the last is answered (a closed loop): a stall delays one call, and"
            f" {'p95 does' if tails else 'their rate does'} not show how many would have waited",
            f"{READ_TAIL if tails else READ_RATE}; for waiting times send queries at a fixed rate",
            {"mode": str(mode), "p95": bool(tails)},
        )


check = ClosedLoop()
