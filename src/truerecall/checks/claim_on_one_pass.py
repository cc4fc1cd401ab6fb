"""Does a claim about latency rest on single passes? Then nobody knows how far either side moves by itself.

It fires where latencies are compared and a point of either side was measured in one pass.
"""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.check import code_of
from truerecall.model.comparison import Comparison, Side
from truerecall.model.finding import Finding


class ClaimOnOnePass:
    title = "a claim about latency that rests on one pass"

    def examine(self, comparison: Comparison, sides: Sequence[Side]) -> Finding | None:
        if not comparison.equal_quality:
            return None
        passes = [own for side in sides for entrant in side.entrants for own in entrant.passes]
        single = sum(len(own.p50_by_pass_s) < 2 for own in passes)
        if not single:
            return None
        return Finding(
            code_of(__name__),
            "warning",
            f"latencies are compared, and {single} of {len(passes)} points were measured in one pass: how far they move"
            " from pass to pass is not known",
            "measure every point several times: run --repeats 3",
            {"single": single, "points": len(passes)},
        )


check = ClaimOnOnePass()
