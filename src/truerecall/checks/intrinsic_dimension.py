"""Do neighbourhoods spread in many directions? The more, the more rows an index has to look at.

It fires where the whole interval of the mean local intrinsic dimension lies over 30. Recall@10 of one HNSW graph (M 16,
efSearch 32, 20,000 random rows; ``benchmarks/shape.py``) was 0.98 at 13, 0.82 to 0.87 at 21 or 22, 0.60 to 0.82 at 31
to 35 and 0.34 to 0.54 at 52 to 57; real vectors had 6 to 20 (digits, definitions, abstracts), and definitions 0.98.
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.shape import CorpusShape

HARD = 30.0


class IntrinsicDimension:
    title = "a high intrinsic dimension"

    def examine(self, corpus_shape: CorpusShape) -> Finding | CannotTell | None:
        found = corpus_shape.dimension
        if found.value is None or found.low is None:
            return CannotTell(f"the local intrinsic dimension is undefined: {found.reason}")
        if found.low <= HARD:
            return None
        return Finding(
            code_of(__name__),
            "note",
            f"the local intrinsic dimension is {found.value:.0f} at {found.n:,} rows: neighbours lie in too many"
            " directions for an index to pass rows over, and recall costs more effort than on common embeddings"
            " (6 to 20)",
            "sweep further than usual, and expect quantisers and inverted files to lose most",
            {
                "value": found.value,
                "interval": found.interval,
                "n": found.n,
                "left_out": found.left_out,
                "neighbours": corpus_shape.local_depth,
            },
        )


check = IntrinsicDimension()
