"""Did ids come back that no row bears? Each is a miss; many of them are ids of something else."""

from __future__ import annotations

import numpy as np

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.ids import NO_ROW, double_rounded, rows_of
from truerecall.model.returned import Returned
from truerecall.model.truth import GroundTruth

MOST = 0.5
"""From this share on, ids that a double has rounded are what is measured, and not the index."""


class UnknownIds:
    title = "ids that no row bears"

    def examine(self, returned: Returned, truth: GroundTruth | None = None) -> Finding | CannotTell | None:
        if truth is None:
            return CannotTell("there is no truth to hold ids against")
        ids = returned.neighbors.ids[~returned.holes]
        unlisted = rows_of(ids, np.unique(truth.neighbors.ids)) == NO_ROW
        strange = returned.strange[~returned.holes]
        seen, where = (strange, "not in the corpus") if strange.any() else (unlisted, "in no list of the truth")
        count, n = int(seen.sum()), len(ids)
        evidence = {"count": count, "n": n, "share": count / max(n, 1), "first": str(ids[seen][0]) if count else ""}
        if count >= MOST * n and double_rounded(ids[seen], np.unique(truth.neighbors.ids)):
            return Finding(
                code_of(__name__),
                "invalid",
                f"{count} of {n} returned ids are {where}; each is the double-rounded form of an existing id",
                "carry ids as 64-bit integers or strings: a program on their way keeps numbers as doubles",
                evidence,
            )
        if not strange.any():
            return None
        return Finding(
            code_of(__name__),
            "warning",
            f"{count} of {n} returned ids are {where} (first: {evidence['first']}); each is a miss",
            "a few: deleted rows came back; many: these are the ids of something else",
            evidence,
        )


check = UnknownIds()
