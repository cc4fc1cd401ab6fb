"""Does a claim about latency rest on single passes? Then nobody knows how far either side moves by itself.

It fires where a point of either side was timed in one pass. It is a warning where latencies are compared, else a note:
where they are not, as on a busy machine, nothing rests on it yet.
"""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.check import CannotTell, code_of
from truerecall.model.comparison import Comparison, Side
from truerecall.model.finding import Finding


class ClaimOnOnePass:
    title = "a claim about latency that rests on one pass"

    def examine(self, comparison: Comparison, sides: Sequence[Side]) -> Finding | CannotTell | None:
        passes = [own for side in sides for entrant in side.entrants for own in entrant.passes if own.p50_s is not None]
        if not passes:
            return CannotTell("nobody timed either side")
        single = sum(len(own.p50_by_pass_s) < 2 for own in passes)
        if not single:
            return None
        return Finding(
            code_of(__name__),
            "warning" if comparison.equal_quality else "note",
            f"{single} of {len(passes)} points were timed in one pass: how far their latency moves from pass to pass is"
            " not known",
            "measure every point several times: run --repeats 3",
            {"single": single, "points": len(passes)},
        )


check = ClaimOnOnePass()
