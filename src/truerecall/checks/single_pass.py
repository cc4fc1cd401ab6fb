"""Was every point measured once? Then nobody knows how far its latency moves from pass to pass.

It fires where no point of a curve has a second pass. A note on a lone run: the number is what it is. Where a claim
rests on it ``claim-on-one-pass`` says so.
"""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding


class SinglePass:
    title = "a curve of single passes"

    def examine(self, curve: Curve) -> Finding | None:
        if any(len(point.runs) > 1 for point in curve.points):
            return None
        return Finding(
            code_of(__name__),
            "note",
            f"each of {len(curve.points)} settings was measured in one pass: how far latency moves between passes is"
            " not known",
            "measure every point several times: --repeats 3",
            {"points": len(curve.points), "passes": 1},
        )


check = SinglePass()
