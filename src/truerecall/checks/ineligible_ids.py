"""Did rows come back that may not answer: deleted, filtered out, or the query itself? Each is a miss."""

from __future__ import annotations

import numpy as np

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.returned import Returned
from truerecall.model.truth import GroundTruth


class IneligibleIds:
    title = "rows that came back and may not answer"

    def examine(self, returned: Returned, truth: GroundTruth | None = None) -> Finding | CannotTell | None:
        if truth is None or not truth.reasons:
            return None
        if not returned.known.all():
            return CannotTell("the vectors are not at hand, which would tell which rows may answer")
        wrong = np.isnan(returned.neighbors.distances) & ~returned.holes & ~returned.strange
        count, n = int(wrong.sum()), int((~returned.holes).sum())
        if count == 0:
            return None
        first = str(returned.neighbors.ids[wrong][0])
        return Finding(
            code_of(__name__),
            "warning",
            f"{count} of {n} returned ids are of rows that may not answer their query (first: {first}); each is a miss",
            f"search with the same conditions as the truth ({', '.join(truth.reasons)})",
            {"count": count, "n": n, "share": count / n, "first": first},
        )


check = IneligibleIds()
