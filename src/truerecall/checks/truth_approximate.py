"""Did an index make the truth? Then to be like it is agreement, and a better search looks worse."""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.truth import APPROXIMATE, GroundTruth


class TruthApproximate:
    title = "a truth that an index made"

    def examine(self, truth: GroundTruth) -> Finding | None:
        if truth.state != APPROXIMATE:
            return None
        return Finding(
            code_of(__name__),
            "invalid",
            f"an index made the {len(truth)} lists of this truth: what is like them agrees with that index, which is"
            " not recall",
            "build an exact truth from the vectors: truerecall truth build",
            {"state": truth.state, "queries": len(truth)},
        )


check = TruthApproximate()
