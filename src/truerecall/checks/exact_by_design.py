"""Does the index scan everything at full precision? Then its recall says nothing about approximate search."""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.run import Run


class ExactByDesign:
    title = "an index that is exact by design"

    def examine(self, run: Run) -> Finding | None:
        state = run.setup.build.state
        if not state.exact_by_design:
            return None
        return Finding(
            code_of(__name__),
            "note",
            f"{run.setup.engine} {state.kind} scans all {state.rows:,} rows for every query: nothing is approximated",
            "read its latency as the cost of exact search; choose an approximate index to measure one",
            {"engine": run.setup.engine, "kind": state.kind, "rows": state.rows},
        )


check = ExactByDesign()
