"""Does the index cover only a part of the rows? The others are scanned, or not found at all.

It fires on any (H21: 1,813,977 of 1,814,714). It is a note: with few rows outside the number hardly changes. It is a
warning from one row in two on: what is measured is then a scan more than an index.
"""

from __future__ import annotations

from truerecall.checks._words import below_hundred
from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.run import Run

MOSTLY = 0.5


class PartlyIndexed:
    title = "rows that the index does not cover"

    def examine(self, run: Run) -> Finding | CannotTell | None:
        state = run.setup.state
        if state.indexed_rows is None:
            return CannotTell(f"{run.setup.engine} does not tell how many rows its index covers")
        if not state.rows or state.indexed_rows >= state.rows or state.indexed_rows == 0:
            return None  # of none, ``index-not-used`` speaks
        share = state.indexed_rows / state.rows
        return Finding(
            code_of(__name__),
            "note" if share > MOSTLY else "warning",
            f"{state.indexed_rows:,} of {state.rows:,} rows are indexed ({below_hundred(share)} %); the others are"
            " scanned beside the index, or missed",
            "wait until the index covers all rows, then measure",
            {"indexed_rows": state.indexed_rows, "rows": state.rows, "share": share},
        )


check = PartlyIndexed()
