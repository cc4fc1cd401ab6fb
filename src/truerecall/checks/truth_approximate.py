"""Did an index make the truth? Then to be like it is agreement, and a better search looks worse."""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.measure_name import MeasureName
from truerecall.model.score import Score
from truerecall.model.truth import APPROXIMATE, GroundTruth

AGREEMENT = "agreement"


class TruthApproximate:
    title = "a truth that an index made"

    def examine(self, truth: GroundTruth, scores: Sequence[Score] = ()) -> Finding | None:
        """Where agreement alone was measured there is nothing to object to."""
        named = [MeasureName.parse(score.measure).base for score in scores]
        if truth.state != APPROXIMATE or (named and set(named) == {AGREEMENT}):
            return None
        return Finding(
            code_of(__name__),
            "invalid",
            f"an index made the {len(truth)} lists of this truth: what is like them agrees with that index, which is"
            " not recall",
            "build an exact truth from the vectors: truerecall truth build, or ask for agreement@k alone",
            {"state": truth.state, "queries": len(truth)},
        )


check = TruthApproximate()
