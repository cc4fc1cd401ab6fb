"""Do vectors of real numbers meet an index of int8 that expects them within -1 to 1? Larger values wrap or saturate.

Such storage multiplies by 127 and keeps a byte (unum-cloud/USearch#405; H10: a difference that wraps). Whether an index
holds int8 is read off its transform and its build settings. Whether values leave the range is read off an inspection:
a row longer than the root of its dimensions has a value beyond 1, and so has a dimension that spreads by more than 1;
where no row is longer than 1 there is none. Between the two it cannot tell. Quantisers that learn their range (FAISS's
SQ8) do not call it int8.
"""

from __future__ import annotations

import math
import re

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.run import Run
from truerecall.model.shape import CorpusShape

INT8 = re.compile(r"\b(i8|int8)\b")
UNIT = "normalised"
ROUNDING = 1e-6


class Int8OutOfRange:
    title = "real numbers out of the range of an int8 index"

    def examine(self, run: Run, corpus_shape: CorpusShape | None = None) -> Finding | CannotTell | None:
        state, build = run.setup.state, run.setup.build
        words = [state.transform, *(value for value in build.settings.values() if isinstance(value, str))]
        stores_int8 = any(INT8.search(own) for own in words)
        if not stores_int8 or not run.setup.corpus.dtype.startswith("float") or UNIT in state.transform:
            return None
        if corpus_shape is None or corpus_shape.lengths is None or not len(corpus_shape.lengths.values):
            return CannotTell("the corpus was not inspected, so nobody knows how large its values are")
        longest, spread = float(corpus_shape.lengths.values.max()), float(corpus_shape.spread.max(initial=0.0))
        if longest <= 1 + ROUNDING:
            return None
        if longest <= math.sqrt(corpus_shape.dimensions) and spread <= 1:
            return CannotTell(f"rows are up to {longest:.4g} long: values may lie beyond 1, or not")
        return Finding(
            code_of(__name__),
            "warning",
            f"the index stores int8 and expects values from -1 to 1, and rows of {run.setup.corpus.dtype} are up to"
            f" {longest:.4g} long in {corpus_shape.dimensions:,} dimensions (one spreads by {spread:.3g}): larger"
            " values wrap or saturate",
            "scale the vectors into -1 to 1 (and the queries alike), or store them as float16 or float32",
            {"longest": longest, "largest_spread": spread, "dimensions": corpus_shape.dimensions},
        )


check = Int8OutOfRange()
