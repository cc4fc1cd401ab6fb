"""Do the answers fit something else better: shifted ids, row numbers, other queries, another distance?"""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.judged import Rival


class BetterExplained:
    title = "answers that fit something else better"

    def examine(self, rivals: Sequence[Rival]) -> Finding | None:
        if not rivals:
            return None
        best = rivals[0]
        return Finding(
            code_of(__name__),
            "warning",
            f"results match {best.told} ({best.recall:.3f}) better than what was declared ({best.own:.3f})",
            best.remedy,
            {"fits": [{"what": rival.told, "recall": rival.recall, "own": rival.own} for rival in rivals]},
        )


check = BetterExplained()
