"""Was the corpus read from where rows may have changed meanwhile? Then the truth may be of no moment at all.

A truth takes several passes over the rows. A database that gives a snapshot shows all of them one state; from one that
does not, a row that was written in between is in some passes and not in others.
"""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.truth import MOVING, GroundTruth


class MovingCorpus:
    title = "a corpus that was read without a snapshot"

    def examine(self, truth: GroundTruth) -> Finding | None:
        why = truth.provenance.get(MOVING)
        if not why:
            return None
        return Finding(
            code_of(__name__),
            "warning",
            f"the truth was read from a live store without a snapshot: {why}",
            "let nobody write while it is built, and verify it afterwards: truerecall truth verify",
            {"why": str(why)},
        )


check = MovingCorpus()
