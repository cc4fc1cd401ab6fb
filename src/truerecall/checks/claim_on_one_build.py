"""Does a claim rest on one build of each side? Then it is about these two indexes, and another build may differ.

A difference is tested over queries alone where neither side has two builds of a setting; three builds of one graph have
been 0.0014 apart (H23). It is a warning where such a difference is called higher or lower, else a note.
"""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.comparison import Comparison
from truerecall.model.finding import Finding


class ClaimOnOneBuild:
    title = "a claim that rests on one build"

    def examine(self, comparison: Comparison) -> Finding | None:
        alone = [own for own in comparison.differences if own.claim == "this index"]
        if not alone:
            return None
        claimed = [own.setting for own in alone if own in comparison.claims]
        return Finding(
            code_of(__name__),
            "warning" if claimed else "note",
            f"a claim about this index alone ({len(alone)} of {len(comparison.differences)} settings have one build a"
            " side): another build of the same setting may differ",
            "build each side several times (run --builds 3) for a claim about the method",
            {"settings": len(alone), "of": len(comparison.differences), "claimed": claimed},
        )


check = ClaimOnOneBuild()
