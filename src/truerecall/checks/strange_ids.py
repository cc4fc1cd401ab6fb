"""Did an index that was attached to name rows that the corpus does not have? Each is a miss in every measure.

A few come from rows that were added since the corpus was read, many from an index over something else: another table,
or the ids of another column.
"""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.run import Run

MOST = 0.5
"""From this share on it is not this corpus that was searched."""


class StrangeIds:
    title = "ids from an index that no row of the corpus bears"

    def examine(self, run: Run) -> Finding | None:
        strange, came = run.unknown, len(run.neighbors.ids)
        if not strange:
            return None
        return Finding(
            code_of(__name__),
            "invalid" if strange >= MOST * came else "warning",
            f"{strange:,} of {came:,} ids that came back are those of no row of the corpus; each is a miss",
            "a few: read the corpus again, for rows were added; many: name the table that the index is of, and its ids",
            {"count": strange, "n": came, "share": strange / came},
        )


check = StrangeIds()
