"""Was the index passed by? A scan of all rows finds everything, and says nothing of the index that was meant.

Invalid, as the number is not about the index: where the engine says that it scanned (H08: an operator that does not fit
the index), and where its index covers no row (H21: a threshold that was not reached; the state is "green" all the
same). An index that declares itself exact is meant to scan, and ``exact-by-design`` says so. One that tells neither its
path nor how many rows it covers has shown nothing.
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.run import Run


class IndexNotUsed:
    title = "an index that was not used"

    def examine(self, run: Run) -> Finding | CannotTell | None:
        state, engine = run.setup.state, run.setup.engine
        if state.exact_by_design:
            return None
        evidence = {"path": state.path, "told": state.told, "rows": state.rows, "indexed_rows": state.indexed_rows}
        if state.path == "full scan":
            return Finding(
                code_of(__name__),
                "invalid",
                f"no approximate index was used (plan: {state.told or 'full scan'}): this measures a scan of"
                f" {state.rows:,} rows",
                "make the search fit the index (same distance, an index for it, statistics up to date), and look at"
                " the plan again",
                evidence,
            )
        if state.indexed_rows == 0 and state.rows:
            return Finding(
                code_of(__name__),
                "invalid",
                f"0 of {state.rows} vectors are indexed: this measures a full scan",
                "wait until the index is built, or lower the number of rows from which on it is",
                evidence,
            )
        if state.path is None:
            return CannotTell(f"{engine} does not tell whether a query went through its index")
        return None


check = IndexNotUsed()
