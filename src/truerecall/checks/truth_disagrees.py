"""Does the truth hold when some of it is computed again? What is held against a wrong truth is no recall.

A sample of its queries is recomputed by another implementation while the vectors are at hand; ties count as agreement.
Invalid on any disagreement: an exact truth has none, and a list that is wrong accuses the others. Nothing was drawn
where the truth was built and proved from these very vectors, or holds a sample of its own that agreed; of any other,
such as one from elsewhere or the work of an index, nobody can tell without a sample (H15, H17).
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.trials import Trials
from truerecall.model.truth import PROVED, SAMPLED, GroundTruth


class TruthDisagrees:
    title = "a truth that does not hold when it is recomputed"

    def examine(self, truth: GroundTruth, trials: Trials | None = None) -> Finding | CannotTell | None:
        sample = None if trials is None else trials.truth_sample
        if sample is None or not sample.checked:
            if truth.state in (PROVED, SAMPLED):
                return None
            return CannotTell("no query of the truth was recomputed")
        wrong = sample.checked - sample.agreed
        if not wrong:
            return None
        cause = f" (likely cause: {sample.cause})" if sample.cause else ""
        return Finding(
            code_of(__name__),
            "invalid",
            f"{wrong} of {sample.checked} recomputed queries disagree with the truth: {sample.first}{cause}",
            "build the truth from these vectors: truerecall truth build",
            {"checked": sample.checked, "agreed": sample.agreed, "first": sample.first, "cause": sample.cause},
        )


check = TruthDisagrees()
