"""Are there dimensions that never change? They tell no two rows apart.

It fires on any. It is a note: recall by id is not touched, but memory, time and the codes of a quantiser are spent.
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.shape import CorpusShape

NAMED = 10


class ConstantDimensions:
    title = "dimensions that never change"

    def examine(self, corpus_shape: CorpusShape) -> Finding | CannotTell | None:
        if corpus_shape.usable < 2:
            return CannotTell("one usable row has nothing to be compared with")
        constant, n = corpus_shape.constant, corpus_shape.dimensions
        if not constant:
            return None
        named = ", ".join(map(str, constant[:NAMED]))
        if len(constant) > NAMED:
            named += f" and {len(constant) - NAMED:,} more"
        return Finding(
            code_of(__name__),
            "note",
            f"{len(constant):,} of {n:,} dimensions hold one value in every row ({named}): they tell no two rows apart,"
            " cost time and memory, and take their share of a quantiser's code, which costs recall",
            "leave them out of both sides where they are zero; elsewhere ask why they do not change",
            {"count": len(constant), "n": n, "first": constant[:NAMED], "rows": corpus_shape.usable},
        )


check = ConstantDimensions()
