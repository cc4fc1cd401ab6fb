"""Does a search that compares every row miss one? Then the distance, the ids or the truth are not what they seem.

Place by place the returned rows, in the order of their true distances, are held against the true ones. Rows that lie
further may have been swapped by float32: a sum of D terms is off by up to D 2^-24 of its size (Higham, "Accuracy and
Stability of Numerical Algorithms", section 3.1). That is allowed, relative to the largest of the true distances, for
cosine to one, the size of its terms. It fires on any miss beyond: of 1,200 queries to FAISS's Flat, on unit vectors of
96 to 768 dimensions, one by one and in batches, none had one. Where vectors lie far from the origin float32 itself may
be too coarse (H06), so it is a warning. Under a drift the truth is of other rows, and it cannot tell.
"""

from __future__ import annotations

import numpy as np

from truerecall.checks._words import below_one
from truerecall.model.check import CannotTell, code_of
from truerecall.model.drift import Drift
from truerecall.model.finding import Finding
from truerecall.model.measure import Answers
from truerecall.model.run import Run

ROUNDING = 2.0**-24
"""The largest relative error of one operation in float32."""


class ExhaustiveBelowOne:
    title = "an exhaustive search that misses rows"

    def examine(self, run: Run, answers: Answers, k: int, drift: Drift | None = None) -> Finding | CannotTell | None:
        state = run.setup.state
        if state.exhaustive is None and not state.exact_by_design:
            return CannotTell(f"{run.setup.engine} does not tell whether this setting compares every row")
        if state.exhaustive is False:
            return None
        if drift is not None:
            return CannotTell("the corpus has drifted from the truth")
        cut = answers.cut(k, k)
        judged = (cut.size > 0) & ~answers.failed
        if not judged.any():
            return CannotTell("no query was answered that a row may answer")
        came = cut.ascending[:, : cut.true_distances.shape[1]]
        came = np.pad(came, ((0, 0), (0, cut.true_distances.shape[1] - came.shape[1])), constant_values=np.inf)
        scale = np.ones(len(answers))
        if answers.distance != "cosine":
            scale = np.nan_to_num(np.abs(cut.true_distances)).max(axis=1, initial=0.0)
        allowed = run.setup.corpus.dimensions * ROUNDING * scale
        missed = (came > cut.true_distances + allowed[:, None]).sum(axis=1)[judged]
        count, n, places = int((missed > 0).sum()), int(judged.sum()), int(cut.size[judged].sum())
        if not count:
            return None
        reached = 1 - int(missed.sum()) / places
        return Finding(
            code_of(__name__),
            "warning",
            f"this setting compares every row, and {count} of {n} queries miss one beyond ties and float32 rounding"
            f" ({int(missed.sum())} of {places} places, recall {below_one(reached, 3)}): the distance, the ids or the"
            " truth are not what they seem",
            "recompute the truth (truerecall truth verify --all), and compare the distance and ids of both sides",
            {"count": count, "n": n, "missed": int(missed.sum()), "places": places, "recall": reached},
        )


check = ExhaustiveBelowOne()
