"""Is the best of many settings told by the queries that chose it? It looks better than it is.

Of m settings that are all alike the best is expected to lie so far up by chance alone (Blom 1958: the quantile of
(m - 0.375) / (m + 0.25)): 1.2 standard errors for 5, 1.9 for 20, nearly the end of a 95 % interval. It fires from 5
settings on where differences are claimed or a front is drawn, and is a warning from 20 on. Tests count all settings
(Holm), so that it is the size of the best that is too large, not its p.
"""

from __future__ import annotations

from collections.abc import Sequence

from scipy.special import ndtri

from truerecall.model.check import code_of
from truerecall.model.comparison import Comparison, Side
from truerecall.model.finding import Finding

SOME, MANY = 5, 20


class BestOfMany:
    title = "the best of many settings, told by the queries that chose it"

    def examine(self, comparison: Comparison, sides: Sequence[Side]) -> Finding | None:
        fronts = [len(side.entrants) for side in sides] if comparison.equal_quality else []
        m = max([len(comparison.differences) if comparison.claims else 0, *fronts])
        if m < SOME:
            return None
        above = float(ndtri((m - 0.375) / (m + 0.25)))
        best = max(comparison.claims, key=lambda own: abs(own.difference), default=None)
        named = "" if best is None else f" (the largest difference: {best.difference:+.4f} at {best.setting})"
        return Finding(
            code_of(__name__),
            "warning" if m >= MANY else "note",
            f"{m} settings are held against each other on the same queries{named}: the best of so many that are alike"
            f" would lie {above:.1f} standard errors up by chance",
            "choose the setting on some of the queries and report it on the others",
            {"settings": m, "standard_errors": above, "largest": None if best is None else best.difference},
        )


check = BestOfMany()
