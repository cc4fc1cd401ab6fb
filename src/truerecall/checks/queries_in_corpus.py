"""Are queries rows of the corpus? Such a query finds itself, which says little about other queries."""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.truth import NOT_COUNTED, GroundTruth


class QueriesInCorpus:
    title = "queries that are rows of the corpus"

    def examine(self, truth: GroundTruth) -> Finding | CannotTell | None:
        n = len(truth)
        if bool((truth.copies == NOT_COUNTED).any()):
            return CannotTell("the truth does not say how many rows equal each query")
        count = int((truth.copies > 0).sum())
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
