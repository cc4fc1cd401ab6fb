"""Is latency that of many queries, or of a few asked again?

Caches answer what was asked before, and what a query costs depends on where it falls, so that a vector stands for no
other (H28: one vector, timed ten times). Ids do not show it; two queries whose true neighbours, as far as the truth
lists them with its slack, are the same rows at the same float64 distances are one. Distances of whole numbers agree by
chance where a list is short, and then it cannot tell. It fires on any repeat. It is a warning where one distinct query
is left, and from one query in ten on, as for ``repeated-queries``. Passes repeat all queries alike, and are no repeats
in this sense.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerecall.model.check import CannotTell, code_of
from truerecall.model.curve import Latency
from truerecall.model.finding import Finding
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.run import Run
from truerecall.model.truth import GroundTruth

MANY = 0.1
LONG = 5
"""So many whole distances to the same rows in the same order do not agree by chance."""


class FewDistinctQueries:
    title = "a latency of few distinct queries"

    def examine(self, latency: Latency, truth: GroundTruth, runs: Sequence[Run] = ()) -> Finding | CannotTell | None:
        calls, asked = latency.calls, latency.distinct_queries
        if not calls:
            return CannotTell("no call was answered")
        lists = [_listed(truth, query) for query in _answered(truth, runs)]
        whole = all(np.dtype(side.dtype).kind in "iub" for side in (truth.corpus, truth.queries))
        if whole and asked > 1 and min((len(ids) for ids, _ in lists), default=LONG) < LONG:
            return CannotTell(f"whole distances to fewer than {LONG} rows do not tell queries apart")
        repeated = len(lists) - len(set(lists))
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


def _answered(truth: GroundTruth, runs: Sequence[Run]) -> list[int]:
    """The queries with a true neighbour that any of the runs answered; all of them where no run is at hand."""
    timed = truth.neighbors.lengths > 0
    if runs:
        answered = np.concatenate([run.query_ids[~run.failed] for run in runs])
        timed &= rows_of(truth.query_ids, np.unique(answered)) != NO_ROW
    return np.flatnonzero(timed).tolist()


def _listed(truth: GroundTruth, query: int) -> tuple[tuple[object, ...], bytes]:
    """The rows that the truth lists for a query, and how far they lie."""
    ids, distances = truth.neighbors.of(query)
    if truth.upkeep is not None:
        more, further = truth.upkeep.slack.of(query)
        ids, distances = np.concatenate([ids, more]), np.concatenate([distances, further])
    return tuple(ids.tolist()), distances.tobytes()


check = FewDistinctQueries()
