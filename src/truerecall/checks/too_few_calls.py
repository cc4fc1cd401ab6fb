"""Do enough calls stand behind the percentiles? From a few, the median itself is a matter of chance.

It fires below 100 answered calls, where the 95th percentile is withheld. It is a warning below 20: the 95 % interval of
the median, by the order of the values alone, then takes in more than half of them (from 19: the 5th to the 15th).
"""

from __future__ import annotations

from truerecall.kernels.quantiles import CALLS_NEEDED
from truerecall.model.check import CannotTell, code_of
from truerecall.model.curve import Latency
from truerecall.model.finding import Finding

FEW = 20


class TooFewCalls:
    title = "too few calls for a latency"

    def examine(self, latency: Latency) -> Finding | CannotTell | None:
        calls = latency.calls
        if not calls:
            return CannotTell("no call was answered")
        if calls >= CALLS_NEEDED[95]:
            return None
        told = "1 call is" if calls == 1 else f"{calls} calls are"
        return Finding(
            code_of(__name__),
            "warning" if calls < FEW else "note",
            f"{told} behind p50, too few for {'any percentile' if calls < FEW else 'p95 and p99'}",
            "ask more queries, or more passes of them (--repeats)",
            {"calls": calls, "needed": {f"p{percent}": least for percent, least in CALLS_NEEDED.items()}},
        )


check = TooFewCalls()
