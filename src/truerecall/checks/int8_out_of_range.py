"""Do vectors of real numbers meet an index of int8 that does not hold them as they are?

Some multiply by 127, keep a byte, and expect values from -1 to 1: larger ones wrap or saturate (unum-cloud/USearch#405;
H10: a difference that wraps). Others scale each vector to one length first, which loses what l2 and ip hang on. Whether
an index holds int8 is read off its transform and its build settings. What it does to these vectors is read off an
inspection: a row longer than the root of its dimensions has a value beyond 1, and so has a dimension that spreads by
more than 1; where no row is longer than 1 there is none. Lengths that were lost show in answers that fit cosine better
too, where that was tried. Between these it cannot tell. Quantisers that learn their range (FAISS's SQ8) do not call it
int8.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.judged import Rival
from truerecall.model.run import Run
from truerecall.model.shape import CorpusShape

INT8 = re.compile(r"\b(i8|int8)\b")
SCALED, UNIT = "scaled to a length", "normalised"
COSINE = "cosine"
ROUNDING = 1e-6


class Int8OutOfRange:
    title = "real numbers that an int8 index does not hold as they are"

    def examine(
        self, run: Run, corpus_shape: CorpusShape | None = None, rivals: Sequence[Rival] | None = None
    ) -> Finding | CannotTell | None:
        state, build = run.setup.state, run.setup.build
        words = [state.transform, *(value for value in build.settings.values() if isinstance(value, str))]
        stores_int8 = any(INT8.search(own) for own in words)
        if not stores_int8 or not run.setup.corpus.dtype.startswith("float") or UNIT in state.transform:
            return None
        if SCALED in state.transform:
            return _lengths_lost(run, corpus_shape, rivals)
        return _out_of_range(run, corpus_shape)


def _lengths_lost(run: Run, shape: CorpusShape | None, rivals: Sequence[Rival] | None) -> Finding | CannotTell | None:
    """Of an index that brings every vector to one length."""
    if run.setup.distance == COSINE:
        return None
    if shape is not None and shape.lengths is not None:
        if shape.lengths.even:
            return None
        least, most = float(shape.lengths.values.min()), float(shape.lengths.values.max())
        seen = f"rows are {least:.4g} to {most:.4g} long"
        evidence: dict[str, float] = {"shortest": least, "longest": most}
    elif rivals is None:
        return CannotTell("the corpus was not inspected, and nobody tried whether the answers fit cosine better")
    else:
        cosine = next((rival for rival in rivals if rival.told == COSINE), None)
        if cosine is None:
            return None
        seen = f"the answers fit cosine ({cosine.recall:.3f}) better than {run.setup.distance} ({cosine.own:.3f})"
        evidence = {"recall_by_cosine": cosine.recall, "recall": cosine.own}
    return Finding(
        code_of(__name__),
        "warning",
        f"the index stores int8 ({run.setup.state.transform}), and {seen}: what {run.setup.distance} hangs on is lost",
        "search by cosine, bring both sides to length one first, or store float16 or float32",
        evidence,
    )


def _out_of_range(run: Run, shape: CorpusShape | None) -> Finding | CannotTell | None:
    """Of an index that keeps values from -1 to 1."""
    if shape is None or shape.lengths is None or not len(shape.lengths.values):
        return CannotTell("the corpus was not inspected, so nobody knows how large its values are")
    longest, spread = float(shape.lengths.values.max()), float(shape.spread.max(initial=0.0))
    if longest <= 1 + ROUNDING:
        return None
    if longest <= math.sqrt(shape.dimensions) and spread <= 1:
        return CannotTell(f"rows are up to {longest:.4g} long: values may lie beyond 1, or not")
    return Finding(
        code_of(__name__),
        "warning",
        f"the index stores int8 and expects values from -1 to 1, and rows of {run.setup.corpus.dtype} are up to"
        f" {longest:.4g} long in {shape.dimensions:,} dimensions (one spreads by {spread:.3g}): larger values wrap or"
        " saturate",
        "scale the vectors into -1 to 1 (and the queries alike), or store them as float16 or float32",
        {"longest": longest, "largest_spread": spread, "dimensions": shape.dimensions},
    )


check = Int8OutOfRange()
