"""Are there enough queries for the number to say anything? From few, any recall looks good or bad by chance.

The claim is that of the headline: recall, or the first score where there is none. It fires below 30 queries, where
neither an interval nor a low percentile means much (the line under which a stratum is called thin), and where half the
interval is wider than 0.05: the first decimal is then not sure. 100 queries that scatter by 0.25, as at low effort,
stay just below. It is a note: the number stands beside its n and its interval, and where a claim rests on it a
comparison or a gate says "undecided". How many queries ±0.01 takes follows from the interval, which shrinks with their
square root.
"""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.measure_name import HEADLINE, MeasureName
from truerecall.model.score import THIN, Score

WIDE, FINE = 0.05, 0.01


class TooFewQueries:
    title = "too few queries for the claim"

    def examine(self, scores: Sequence[Score]) -> Finding | CannotTell | None:
        own = next((s for s in scores if MeasureName.parse(s.measure).base == HEADLINE), next(iter(scores), None))
        if own is None or own.mean is None:
            return CannotTell("no score has a mean")
        half = None if own.ci95 is None else (own.ci95[1] - own.ci95[0]) / 2
        if own.n >= THIN and half is not None and half <= WIDE:
            return None
        wanted = None if half is None else max(THIN, round(own.n * (half / FINE) ** 2))
        within = "" if half is None else f" ± {half:.2f}"
        return Finding(
            code_of(__name__),
            "note",
            f"{own.measure} is {own.mean:.2f}{within} from {own.n} {'query' if own.n == 1 else 'queries'}: a claim"
            " finer than that is not supported",
            "ask more queries: truerecall sample size"
            + ("" if wanted is None else f" (about {wanted:,} for ± {FINE}, if they scatter alike)"),
            {"measure": own.measure, "n": own.n, "mean": own.mean, "half_width": half, "queries_for_0.01": wanted},
        )


check = TooFewQueries()
