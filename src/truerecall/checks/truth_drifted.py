"""Has the corpus moved away from the truth, as far as the user allows? Then some of its lists may be out of date."""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.drift import Drift
from truerecall.model.finding import Finding


class TruthDrifted:
    title = "a corpus that has drifted from the truth"

    def examine(self, drift: Drift | None) -> Finding | None:
        if drift is None:
            return None
        bound = min(1.0, drift.affected / max(1, drift.queries))
        return Finding(
            code_of(__name__),
            "warning",
            f"the corpus is not that of the truth any more: {drift.told}, {drift.share:.3%} of {drift.rows:,} rows;"
            f" the neighbours of at most {drift.affected:,} of {drift.queries:,} queries differ, so a mean over the"
            f" queries is off by at most {bound:.4f}",
            "bring the truth up to date: truerecall truth refresh",
            {
                "added": drift.added,
                "removed": drift.removed,
                "changed": drift.changed,
                "rows": drift.rows,
                "share": drift.share,
                "allowed": drift.allowed,
                "queries_affected": drift.affected,
                "queries": drift.queries,
                "bound_on_mean": bound,
            },
        )


check = TruthDrifted()
