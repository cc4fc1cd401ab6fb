"""Were there answers to queries that the truth does not hold? Nobody can judge them."""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.returned import Returned


class UnknownQueries:
    title = "answers to queries that the truth does not hold"

    def examine(self, returned: Returned) -> Finding | None:
        count, n = returned.unknown_queries, returned.lists
        if count == 0:
            return None
        return Finding(
            code_of(__name__),
            "note",
            f"{count} of {n} answered queries are not in the truth and are left aside",
            "nothing where the truth is of a sample of the queries; else give the truth of all",
            {"count": count, "n": n, "share": count / n},
        )


check = UnknownQueries()
