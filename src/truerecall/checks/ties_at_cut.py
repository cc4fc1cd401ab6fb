"""Do ties lie across the cut? Which of the tied rows are called the true ones is then a matter of their ids."""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.truth import NOT_COUNTED, GroundTruth

USABLE = 0.99
"""An exact index that settles ties by chance should reach this recall by id, or recall by id is not usable."""


class TiesAtCut:
    title = "ties across the cut"

    def examine(self, truth: GroundTruth, k: int | None = None) -> Finding | CannotTell | None:
        """``k``: how deep it is judged, None where nobody says."""
        if bool((truth.tied == NOT_COUNTED).any()):
            return CannotTell("the truth does not count ties at its cut")
        if k is not None and k != truth.k:
            return CannotTell(f"the truth counts ties at depth {truth.k}, and it is judged at {k}")
        across = truth.ties_across
        count, n = int(across.sum()), int((truth.eligible > 0).sum())
        if count == 0:
            return None
        lengths, tied, nearer = (
            values[truth.eligible > 0] for values in (truth.neighbors.lengths, truth.tied, truth.nearer)
        )
        # Of the tied rows ``places`` are called true; of as many that an index picks by chance, this share is.
        places = lengths - nearer
        by_chance = float(((nearer + places * places / tied) / lengths).mean())
        largest = int(truth.tied[across].argmax())
        largest_tie = int(truth.tied[across][largest])
        left = int((truth.neighbors.lengths - truth.nearer)[across][largest])
        seen = (
            f"{count} of {n} queries {'has' if count == 1 else 'have'} a tie across the cut (largest: {largest_tie}"
            f" rows for {left} {'place' if left == 1 else 'places'})"
        )
        unusable = by_chance < USABLE
        return Finding(
            code_of(__name__),
            "warning" if unusable else "note",
            f"id recall is not usable on these vectors: {seen}; an exact index that settles ties by chance would have"
            f" {by_chance:.3f}"
            if unusable
            else seen,
            "use tie-aware recall, which gives every tied row the same credit, or take the duplicates out",
            {
                "count": count,
                "n": n,
                "share": count / n,
                "largest_tie": largest_tie,
                "places": left,
                "recall_by_chance": by_chance,
            },
        )


check = TiesAtCut()
