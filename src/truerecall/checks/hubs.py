"""Do a few rows stand in very many lists, and others in hardly any? A graph leads to the former, and past the latter.

It fires where the whole interval of the skewness of N_k lies over 2, and that of the share of rows that no list holds
over 0.02: in clusters skewness alone may reach 6 and cost nothing. The recall@10 of one HNSW graph (M 16, efSearch 32,
20,000 rows; ``benchmarks/shape.py``), of all true neighbours and of those that stand in at most two lists: 0.98 and
0.95 on definitions (skewness 1.3), 0.96 and 0.89 at 2.0, 0.82 and 0.56 at 4.4, 0.54 and 0.12 at 7.6. Where rows tie,
row numbers settle who stands in a list, and it cannot tell.
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.shape import CorpusShape

SKEWED, ABSENT = 2.0, 0.02
MOST_TIES = 0.05
FEWEST_LISTS = 10
"""How many times as many rows as places in a list there should be."""


class Hubs:
    title = "hubs and rows that no list holds"

    def examine(self, corpus_shape: CorpusShape) -> Finding | CannotTell | None:
        found, ties = corpus_shape.hubs, corpus_shape.ties
        n, skew = len(found.counts), found.skewness
        if skew.value is None or skew.low is None:
            return CannotTell(skew.reason)
        if n < FEWEST_LISTS * found.k:
            return CannotTell(f"{n:,} rows are too few for lists of {found.k}")
        if ties.value is not None and ties.value > MOST_TIES:
            return CannotTell(
                f"{ties.value:.0%} of rows have a tie across the cut: row numbers settle who is in a list"
            )
        absent = found.absent
        if skew.low <= SKEWED or absent.value is None or absent.low is None or absent.low <= ABSENT:
            return None
        most = int(found.counts.max())
        return Finding(
            code_of(__name__),
            "note",
            f"among {n:,} rows one stands in {most:,} lists of {found.k} and {absent.value:.1%} stand in none"
            f" (skewness {skew.value:.1f}): indexes find the latter worse, which a mean over queries hides",
            "look at recall by query and at its low percentiles, not at the mean alone",
            {
                "skewness": skew.value,
                "interval": skew.interval,
                "n": n,
                "k": found.k,
                "most": most,
                "absent": absent.value,
                "absent_interval": absent.interval,
            },
        )


check = Hubs()
