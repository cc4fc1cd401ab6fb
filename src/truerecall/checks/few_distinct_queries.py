"""Is latency that of many queries, or of a few asked again?

Caches answer what was asked before, and what a query costs depends on where it falls, so that a vector stands for no
other (H28: one vector, timed ten times). Ids do not show it; two queries whose true neighbours are the same rows at the
same float64 distances are one. It fires on any repeat. It is a warning where one distinct query is left, and from one
query in ten on, as for ``repeated-queries``. Passes repeat all queries alike, and are no repeats in this sense.
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.curve import Latency
from truerecall.model.finding import Finding
from truerecall.model.truth import GroundTruth

MANY = 0.1


class FewDistinctQueries:
    title = "a latency of few distinct queries"

    def examine(self, latency: Latency, truth: GroundTruth) -> Finding | CannotTell | None:
        calls, asked = latency.calls, latency.distinct_queries
        if not calls:
            return CannotTell("no call was answered")
        repeated = _repeated(truth)
        distinct = max(1, asked - repeated)
        if distinct == asked > 1:
            return None
        return Finding(
            code_of(__name__),
            "warning" if distinct == 1 or repeated >= MANY * asked else "note",
            f"{calls:,} timed calls, {distinct:,} distinct {'query' if distinct == 1 else 'queries'} among"
            f" {asked:,}: caches answer what was asked before, and its cost says nothing of other queries",
            "time distinct queries, each once a pass: truerecall sample --dedupe draws them",
            {"calls": calls, "distinct": distinct, "asked": asked},
        )


def _repeated(truth: GroundTruth) -> int:
    """How many queries have the true neighbours, row by row and distance by distance, of one before them."""
    lists = [truth.neighbors.of(query) for query in range(len(truth)) if truth.neighbors.lengths[query]]
    return len(lists) - len({(tuple(ids.tolist()), distances.tobytes()) for ids, distances in lists})


check = FewDistinctQueries()
