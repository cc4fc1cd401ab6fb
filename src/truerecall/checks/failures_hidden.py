"""Did calls fail? Percentiles and rates are of the answered ones, and a failure may be the fastest answer of all.

It fires on any, over all passes (H27: 166 "queries a second" against a closed port). It is a warning from one call in a
hundred on: as many stand behind the 99th percentile. Where none was answered ``failed-queries`` withholds the number.
"""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.curve import Latency
from truerecall.model.finding import Finding

MANY = 0.01


class FailuresHidden:
    title = "failures behind a latency"

    def examine(self, latency: Latency) -> Finding | None:
        failed, asked = latency.failed, latency.calls + latency.failed
        if not failed:
            return None
        share = failed / asked
        rate = "" if latency.answers_per_s is None else f" and the {latency.answers_per_s:,.1f} answers a second"
        return Finding(
            code_of(__name__),
            "warning" if share >= MANY else "note",
            f"{failed:,} of {asked:,} calls failed (share {share:.2g}): percentiles{rate} are of the {latency.calls:,}"
            " that were answered",
            "make the engine answer; until then quote the share beside every percentile",
            {"failed": failed, "asked": asked, "share": share, "answered": latency.calls},
        )


check = FailuresHidden()
