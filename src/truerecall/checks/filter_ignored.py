"""Did rows come back that do not pass the filter? Then it was not, or not rightly, applied by what answered.

Each is a miss in every measure. Where they came at all, the number is not of the search that was asked for, and the
latency not of a filtered one.
"""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.run import Run


class FilterIgnored:
    title = "rows that came back and do not pass the filter"

    def examine(self, run: Run) -> Finding | None:
        where, wrong, came = run.setup.where, run.ineligible, len(run.neighbors.ids)
        if where is None or not wrong:
            return None
        return Finding(
            code_of(__name__),
            "invalid",
            f"{wrong:,} of {came:,} rows that came back do not pass {where.text}: another filter was applied",
            "find out how the engine filters; compare its attributes with those that the truth was made from",
            {"filter": where.text, "wrong": wrong, "came": came},
        )


check = FilterIgnored()
