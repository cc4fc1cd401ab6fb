"""Is the corpus a sample of a larger one? Among fewer rows the true neighbours lie farther apart and are found more
easily."""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.truth import GroundTruth


class SampledCorpus:
    title = "a corpus that is a sample of a larger one"

    def examine(self, truth: GroundTruth) -> Finding | None:
        drawn_from = truth.card.drawn_from
        if drawn_from is None:
            return None
        rows = truth.corpus.rows
        return Finding(
            code_of(__name__),
            "warning",
            f"sampled corpus, {rows:,} of {drawn_from:,} rows",
            "read it as a comparison of settings on this sample: on the whole corpus recall is likely to be lower",
            {"rows": rows, "drawn_from": drawn_from, "share": rows / drawn_from},
        )


check = SampledCorpus()
