"""Were more neighbours asked for than are judged? The first ten of a hundred are another measurement than ten."""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding


class AskedDeeper:
    title = "answers asked for deeper than they are judged"

    def examine(self, asked_k: int, k: int) -> Finding | None:
        if asked_k <= k:
            return None
        return Finding(
            code_of(__name__),
            "note",
            f"the first {k} of answers asked for {asked_k} deep are judged; asked for {k} an index may search less",
            f"ask the index for {k} if that is how it will be asked",
            {"k": k, "asked_k": asked_k},
        )


check = AskedDeeper()
