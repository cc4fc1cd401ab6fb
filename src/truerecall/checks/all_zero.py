"""Is recall zero on every query? A bad index finds something; answers that share nothing with the truth are about
something else.

Likely causes are those that were tried and fit better (shifted ids, row numbers, other queries, another distance), the
best first. Where they were tried and none fits, another corpus or split is left (H14).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerecall.model.check import CannotTell, code_of
from truerecall.model.distance import DISTANCES
from truerecall.model.finding import Finding
from truerecall.model.judged import Rival
from truerecall.model.measure import Answers
from truerecall.model.truth import GroundTruth

ENOUGH = 20
"""From this many queries on, nothing but zeros is no measurement."""


class AllZero:
    title = "recall of zero on every query"

    def examine(
        self, answers: Answers, truth: GroundTruth, k: int, rivals: Sequence[Rival] | None = None
    ) -> Finding | CannotTell | None:
        """``rivals``: what fits better, the best first; None where nobody tried."""
        cut = answers.cut(k, k)
        hits, possible = cut.hits, cut.size
        judged = (possible > 0) & ~answers.failed
        n = int(judged.sum())
        if n == 0:
            return CannotTell("no query was answered that a row may answer")
        if bool(hits[judged].any()) or bool(_tied(answers, truth, k)[judged].any()):
            return None
        return Finding(
            code_of(__name__),
            "invalid" if n >= ENOUGH else "warning",
            f"recall@{k} is 0.0 on every one of {n} answered queries, ties included{_tried(rivals)}",
            rivals[0].remedy
            if rivals
            else "look for the cause: another corpus or split, other ids (shifted, row numbers), another distance, the"
            " wrong column of the results",
            {"n": n, "k": k, "causes": [{"what": rival.told, "recall": rival.recall} for rival in rivals or ()]},
        )


def _tried(rivals: Sequence[Rival] | None) -> str:
    if rivals is None:
        return ""
    if not rivals:
        return "; other ids, other queries and other distances were tried and fit no better: another corpus is likely"
    return "; likely causes, tried: " + ", ".join(f"{rival.told} (recall {rival.recall:.3f})" for rival in rivals)


def _tied(answers: Answers, truth: GroundTruth, k: int) -> np.ndarray:
    """For each query whether a row came back that is as near as the last true one, as far as its distance is known."""
    if truth.distance not in DISTANCES or not answers.truth_distances.shape[1]:
        return np.zeros(len(answers), np.bool_)
    distances = answers.truth_distances[:, :k]
    cut = np.where(np.isnan(distances).all(axis=1), np.nan, np.nanmax(np.nan_to_num(distances, nan=-np.inf), axis=1))
    band = DISTANCES[truth.distance].tie_band(cut, integral=truth.corpus.dtype.startswith(("int", "uint")))
    return np.asarray((answers.found_distances[:, :k] <= (cut + band)[:, None]).any(axis=1))


check = AllZero()
