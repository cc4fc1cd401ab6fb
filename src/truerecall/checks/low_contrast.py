"""Is the k-th nearest row hardly nearer than any row? Then there is little to find, and little to lose.

It fires where the whole interval of the relative contrast lies under 1.25. Recall@10 of one HNSW graph (M 16, efSearch
32, 20,000 random rows; ``benchmarks/shape.py``) was 0.34 to 0.54 at 1.18 to 1.22 and 0.30 at 1.10; real vectors had
1.35 to 2.1 (abstracts, definitions, digits), and definitions 0.98. Where k is more than a hundredth of the rows, the
k-th nearest is no near row, and it cannot tell.
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.shape import CorpusShape, QueryShape

LOW = 1.25
LARGEST_PART = 0.01


class LowContrast:
    title = "a low relative contrast"

    def examine(self, corpus_shape: CorpusShape, query_shape: QueryShape | None = None) -> Finding | CannotTell | None:
        around, points = corpus_shape.closeness, "rows"
        if query_shape is not None and query_shape.closeness.contrast.value is not None:
            around, points = query_shape.closeness, "queries"
        found = around.contrast
        if found.value is None or found.high is None:
            return CannotTell(f"the relative contrast is undefined: {found.reason}")
        if around.k > LARGEST_PART * around.rows:
            return CannotTell(f"the nearest {around.k} of {around.rows:,} rows are no small part of them")
        if found.high >= LOW:
            return None
        return Finding(
            code_of(__name__),
            "note",
            f"seen from {found.n:,} {points}, rows lie on average {found.value:.2f} times as far as the {around.k}-th"
            " nearest: near and far are hard to tell apart, for an index as for a reader of its answers, and recall"
            " punishes swaps between rows that hardly differ",
            "read tolerant recall beside recall, and ask whether the vectors fit the task",
            {"contrast": found.value, "interval": found.interval, "n": found.n, "k": around.k, "points": points},
        )


check = LowContrast()
