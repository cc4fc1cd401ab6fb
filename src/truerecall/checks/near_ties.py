"""Do many rows lie as good as at the cut? Recall by id then punishes swaps that nobody can tell apart.

A row beyond the cut is near where it lies within 1 % of the value of the last true neighbour (its similarity under ip
and cosine, else its distance): the tolerance at which tolerant recall is published (arXiv 2604.20417). It fires where
the median over queries has as many such rows as there are places, so that all of an answer could be swapped (H34: 80
rows for 10 places). Rows beyond the cut are known as far as the truth lists them, with its slack; where it lists fewer
than k of them and all are near, it cannot tell. A note: the number is right, and another measure says more.
"""

from __future__ import annotations

import math

import numpy as np

from truerecall.kernels.thresholds import furthest
from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.truth import GroundTruth

TOLERANCE = 0.01


class NearTies:
    title = "many rows that are as good as at the cut"

    def examine(self, truth: GroundTruth, k: int) -> Finding | CannotTell | None:
        counts, known, gaps = [], [], []
        for query in np.flatnonzero(truth.eligible > k).tolist():
            listed = truth.neighbors.of(query)[1]
            if truth.upkeep is not None:
                listed = np.concatenate([listed, truth.upkeep.slack.of(query)[1]])
            if len(listed) < k:
                continue
            beyond = listed[k:]
            near = beyond[beyond <= furthest(truth.distance, listed[k - 1 : k], TOLERANCE)]
            counts.append(len(near))
            known.append(len(beyond))
            gaps.append(float(near.max() - listed[k - 1]) if len(near) else 0.0)
        if not bool((truth.eligible > k).any()):
            return None  # nothing lies beyond the cut
        if not counts or not max(known):
            return CannotTell("the truth was read without rows beyond the cut")
        middle = int(np.argsort(counts, kind="stable")[(len(counts) - 1) // 2])
        count, n = counts[middle], len(counts)
        if count < k:
            if count == known[middle]:
                return CannotTell(f"the truth lists {count} rows beyond the cut, and all are near")
            return None
        side = "below" if truth.distance in ("ip", "cosine") else "beyond"
        gap = _rounded_up(gaps[middle])
        return Finding(
            code_of(__name__),
            "note",
            f"{'at least ' if count == known[middle] else ''}{count} rows less than {gap} {side} the cut (median over"
            f" {n} {'query' if n == 1 else 'queries'}), for {k} places: recall by id punishes swaps that nobody can"
            " tell apart",
            f"read tolerant_recall@{k}(1%) beside recall@{k}",
            {"count": count, "k": k, "n": n, "gap": gaps[middle], "tolerance": TOLERANCE, "listed": known[middle]},
        )


def _rounded_up(gap: float) -> str:
    """To one digit, upwards, so that "less than" is true."""
    if gap <= 0:
        return "1e-12"
    unit = 10.0 ** math.floor(math.log10(gap))
    return f"{(math.floor(gap / unit) + 1) * unit:.1g}"


check = NearTies()
