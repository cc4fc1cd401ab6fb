"""Did an index make the truth? Then to be like it is agreement, and a better search looks worse.

Where nothing but agreement was asked for the number says what it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.measure_name import MeasureName
from truerecall.model.score import Score
from truerecall.model.truth import APPROXIMATE, GroundTruth
from truerecall.shelf import measures


class TruthApproximate:
    title = "a truth that an index made"

    def examine(self, truth: GroundTruth, scores: Sequence[Score] = ()) -> Finding | None:
        if truth.state != APPROXIMATE:
            return None
        asked = [measures.get(MeasureName.parse(score.measure).base) for score in scores]
        return Finding(
            code_of(__name__),
            "note" if asked and all(measure.of_approximate for measure in asked) else "invalid",
            f"an index made the {len(truth)} lists of this truth: what is like them agrees with that index, which is"
            " not recall",
            "build an exact truth from the vectors: truerecall truth build",
            {"state": truth.state, "queries": len(truth)},
        )


check = TruthApproximate()
