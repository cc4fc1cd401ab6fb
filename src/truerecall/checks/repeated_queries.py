"""Do queries ask the same thing again? The answers are not independent, and intervals are narrower than they claim.

Two queries are near-duplicates where they lie closer to each other than a tenth of the way to the nearest row: their
distances to any row then differ by less than a tenth of the nearest's. It fires on any; it is a warning from one query
in ten on, where the interval of a mean, taken for independent, is at least a twentieth too narrow.
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.shape import QueryShape

MANY = 0.1


class RepeatedQueries:
    title = "queries that repeat each other"

    def examine(self, query_shape: QueryShape) -> Finding | CannotTell | None:
        copies, near = query_shape.repeats, query_shape.near
        if not copies.groups and near.value is None:
            return CannotTell(near.reason)
        if not copies.groups and not near.value:
            return None
        share = max(copies.share, near.value or 0.0)
        exact = int(copies.sizes.sum())
        seen = []
        if near.value is not None and (near.value > copies.share or near.n < copies.n):
            seen.append(f"{round(near.value * near.n):,} of {near.n:,} queries nearly repeat another one")
        if exact:
            one = "; 1 distinct query" if copies.groups == 1 and exact == copies.n else ""
            seen.append(f"{exact:,} of {copies.n:,} equal another one{one}")
        return Finding(
            code_of(__name__),
            "warning" if share >= MANY else "note",
            f"{', '.join(seen)}: what one of them finds the other finds too, so recall is measured on fewer queries"
            " than it seems and its interval is too narrow",
            "keep one of each, or draw other queries",
            {
                "exact": exact,
                "n": copies.n,
                "distinct": copies.n - copies.surplus,
                "near_share": near.value,
                "near_n": near.n,
                "near_interval": near.interval,
            },
        )


check = RepeatedQueries()
