"""Are queries rows of the corpus? Such a query finds itself, which says little about other queries."""

from __future__ import annotations

from truerecall.model.arrays import Integers
from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.truth import NOT_COUNTED


class QueriesInCorpus:
    title = "queries that are rows of the corpus"

    def examine(self, copies: Integers) -> Finding | CannotTell | None:
        """``copies``: for each query how many rows equal it, NOT_COUNTED where nobody counted."""
        n = len(copies)
        if bool((copies == NOT_COUNTED).any()):
            return CannotTell("nobody counted how many rows equal each query")
        count = int((copies > 0).sum())
        if count == 0:
            return None
        return Finding(
            code_of(__name__),
            "warning",
            f"{count} of {n} queries are rows of the corpus",
            "hold the queries out of the corpus, or exclude each query from its own answer: a row finds itself easily",
            {"count": count, "n": n, "share": count / n},
        )


check = QueriesInCorpus()
