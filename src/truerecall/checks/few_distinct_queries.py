"""Is latency that of many queries, or of a few asked again? Caches answer what was asked before.

What a query costs depends on where it falls, so a vector stands for no other (H28: one vector, timed ten times).
Queries are told apart by content, from the ledger that the truth keeps of them: ids alone show that one was asked,
never that several differ. It fires on any repeat. It is a warning where one distinct query is left, and from one query
in ten on, as for ``repeated-queries``. Passes repeat all queries alike, and are no repeats in this sense.
"""

from __future__ import annotations

import numpy as np

from truerecall.model.check import CannotTell, code_of
from truerecall.model.curve import Latency
from truerecall.model.finding import Finding
from truerecall.model.truth import GroundTruth

MANY = 0.1


class FewDistinctQueries:
    title = "a latency of few distinct queries"

    def examine(self, latency: Latency, truth: GroundTruth | None = None) -> Finding | CannotTell | None:
        calls, asked = latency.calls, latency.distinct_queries
        if not calls:
            return CannotTell("no call was answered")
        distinct = asked
        if asked > 1:
            if truth is None or truth.upkeep is None:
                return CannotTell("the truth keeps no ledger of the queries, which would tell them apart")
            ledger = truth.upkeep.queries.digests
            asked, distinct = len(ledger), len(np.unique(ledger))
            if distinct == asked:
                return None
        few = distinct == 1 or asked - distinct >= MANY * asked
        return Finding(
            code_of(__name__),
            "warning" if few else "note",
            f"{calls:,} timed calls, {distinct:,} distinct {'query' if distinct == 1 else 'queries'} among"
            f" {asked:,}: caches answer what was asked before, and its cost says nothing of other queries",
            "time distinct queries, each once a pass: truerecall sample --dedupe draws them",
            {"calls": calls, "distinct": distinct, "asked": asked},
        )


check = FewDistinctQueries()
