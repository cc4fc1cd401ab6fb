"""Did one point answer one query in two ways? Then its recall is that of a draw.

Passes over one index at one setting should bring the same rows. They are held against the first pass as sets, since the
order of rows that tie means nothing, and only where both were answered. It fires on any; it is a warning from one query
in a hundred on, where recall may move in its second decimal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.run import Run

MANY = 0.01


class AnswersDiffer:
    title = "passes that answered differently"

    def examine(self, runs: Sequence[Run]) -> Finding | CannotTell | None:
        if len(runs) < 2:
            return CannotTell("one pass has nothing to be held against")
        first = runs[0]
        differ, asked = np.zeros(len(first), np.bool_), np.zeros(len(first), np.bool_)
        for other in runs[1:]:
            place = rows_of(first.query_ids, other.query_ids)
            both = (place != NO_ROW) & ~first.failed
            both[both] &= ~other.failed[place[both]]
            asked |= both
            for query in np.flatnonzero(both & ~differ).tolist():
                differ[query] = not _same(first, query, other, int(place[query]))
        count, n = int(differ.sum()), int(asked.sum())
        if n == 0:
            return CannotTell("no query was answered in two passes")
        if count == 0:
            return None
        example = str(first.query_ids[np.flatnonzero(differ)[0]])
        return Finding(
            code_of(__name__),
            "warning" if count >= MANY * n else "note",
            f"{count} of {n} queries got other rows in another pass over the same index at the same setting (first:"
            f" query {example}): recall is a mean over answers that vary",
            "find out what changes between passes: rows being indexed, threads that race, a time limit, replicas",
            {"count": count, "n": n, "share": count / n, "passes": len(runs), "first": example},
        )


def _same(first: Run, query: int, other: Run, place: int) -> bool:
    one, again = first.neighbors.of(query)[0], other.neighbors.of(place)[0]
    return np.array_equal(one, again) or np.array_equal(np.unique(one), np.unique(again))


check = AnswersDiffer()
