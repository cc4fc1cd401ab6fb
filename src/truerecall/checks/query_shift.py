"""Do queries come from elsewhere than the rows? An index is built around its rows, and finds less for strangers.

It fires where one of two ratios leaves 0.9 to 1.1 with its whole interval: the mean Mahalanobis distance of queries
over that of held-out rows, and the median distance of their nearest rows. With one HNSW graph (M 16, efSearch 20,
21,000 definitions; ``benchmarks/shape.py``) queries moved until the second was 1.31 had 0.90 recall@10 against 0.96 for
held-out rows, and at 1.12 they had 0.95; claims against abstracts have 1.20 and 1.08. What the classifier sees does not
make it fire: queries that it told apart in 99 of 100 cases had the recall of held-out rows. Where most queries are rows
themselves, it cannot tell.
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.shape import Estimate, QueryShape

LEAST, MOST = 0.9, 1.1


class QueryShift:
    title = "queries from elsewhere than the rows"

    def examine(self, query_shape: QueryShape) -> Finding | CannotTell | None:
        shift = query_shape.shift
        ratios = {
            "Mahalanobis distance from the centre": shift.mahalanobis,
            "distance of the nearest row": shift.nearest,
        }
        told = {name: ratio for name, ratio in ratios.items() if ratio.value is not None}
        if not told:
            return CannotTell(shift.mahalanobis.reason)
        stored = int((query_shape.copies > 0).sum())
        if 2 * stored > len(query_shape.copies):
            return CannotTell(f"{stored:,} of {len(query_shape.copies):,} queries are rows of the corpus")
        away = {name: ratio for name, ratio in told.items() if _beyond(ratio)}
        if not away:
            return None
        seen = ", ".join(f"{ratio.value:.2f} times the {name}" for name, ratio in told.items())
        farther = any((ratio.low or 0.0) > MOST for ratio in away.values())
        effect = (
            "an index finds less for them than for queries like its rows, and tuning on held-out rows flatters"
            if farther
            else "they lie where rows are dense, and recall elsewhere may be lower"
        )
        return Finding(
            code_of(__name__),
            "note",
            f"{shift.mahalanobis.n or shift.nearest.n:,} queries have {seen} of rows held out of the corpus: {effect}",
            "measure with queries drawn as they will be asked, never with rows in their stead"
            if farther
            else "see that the queries stand for those that will be asked",
            {
                "mahalanobis": shift.mahalanobis.value,
                "mahalanobis_interval": shift.mahalanobis.interval,
                "nearest": shift.nearest.value,
                "nearest_interval": shift.nearest.interval,
                "area_under_curve": shift.area.value,
                "area_interval": shift.area.interval,
                "area_left_out": shift.area.reason,
                "n": query_shape.inspected,
            },
        )


def _beyond(ratio: Estimate) -> bool:
    return ratio.low is not None and ratio.high is not None and (ratio.low > MOST or ratio.high < LEAST)


check = QueryShift()
