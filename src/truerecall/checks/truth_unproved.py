"""Did anybody prove the truth? Lists from elsewhere may miss a nearer row, and recall then lies either way."""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.truth import UNPROVED, GroundTruth


class TruthUnproved:
    title = "a truth that nobody has proved"

    def examine(self, truth: GroundTruth) -> Finding | None:
        if truth.state != UNPROVED:
            return None
        return Finding(
            code_of(__name__),
            "warning",
            f"the truth came from elsewhere and none of its {len(truth)} lists has been proved",
            "recompute it: truerecall truth verify --all, or build it from the vectors: truerecall truth build",
            {"state": truth.state, "queries": len(truth)},
        )


check = TruthUnproved()
