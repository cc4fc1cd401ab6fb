"""Are the dimensions without any tie to each other? Random vectors are; recall on them says nothing about real ones.

Each dimension is shuffled by itself, which leaves its values and takes what ties it to others. In vectors with a
structure neighbours then move away; in random ones they stay. It fires where the whole interval of the ratio of the
median distances to the k-th nearest row lies over 0.95. It was 0.997 to 1.04 on uniform, Gaussian, log-normal and
spherical random vectors of 2 to 384 dimensions, at most 0.91 on real ones (digits 0.62, abstracts 0.80, definitions
0.88 to 0.91), and at most 0.77 on random vectors in a subspace or in clusters (``benchmarks/shape.py``). Where k is
more than a hundredth of the sample, the k-th nearest is no near row, and it cannot tell.
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.shape import CorpusShape

RANDOM = 0.95
LARGEST_PART = 0.01


class Structureless:
    title = "vectors without structure"

    def examine(self, corpus_shape: CorpusShape) -> Finding | CannotTell | None:
        found = corpus_shape.structure
        ratio, contrast = found.ratio, corpus_shape.closeness.contrast
        if corpus_shape.dimensions == 1:
            return CannotTell("one dimension has no other to be tied to")
        if ratio.value is None or ratio.low is None:
            return CannotTell(ratio.reason)
        if found.k > LARGEST_PART * found.n:
            return CannotTell(f"the nearest {found.k} of {found.n:,} sampled rows are no small part of them")
        if ratio.low <= RANDOM:
            return None
        return Finding(
            code_of(__name__),
            "warning",
            f"neighbours lie as near as in shuffled vectors (ratio {ratio.value:.2f} at {ratio.n:,} rows), as they do"
            " in random ones: recall is exact here and says nothing about real embeddings, which are easier to search",
            "measure on vectors of the kind that will be searched",
            {
                "ratio": ratio.value,
                "interval": ratio.interval,
                "n": ratio.n,
                "sampled": found.n,
                "relative_contrast": contrast.value,
            },
        )


check = Structureless()
