"""Do rows differ in length where that changes who is near? Inner product and cosine then answer different questions.

It fires under ip and cosine where lengths differ and, among sampled rows, the nearest k by inner product are not those
by cosine: where the interval of their agreement ends below 0.99, so that taking one for the other costs more recall
than most sweeps are about. Rounding to float16 leaves unit vectors at 1.000 on both real sets that we tried.
"""

from __future__ import annotations

from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.shape import CorpusShape

AGREE = 0.99


class UnevenLengths:
    title = "lengths that set inner product and cosine apart"

    def examine(self, corpus_shape: CorpusShape) -> Finding | CannotTell | None:
        lengths, distance = corpus_shape.lengths, corpus_shape.distance
        if lengths is None or lengths.even or distance not in ("ip", "cosine"):
            return None
        agreement = lengths.agreement
        if agreement.value is None or agreement.high is None:
            return CannotTell(agreement.reason or "too few rows to compare the two distances")
        if agreement.high >= AGREE:
            return None
        other = "cosine" if distance == "ip" else "ip"
        least, most = float(lengths.values.min()), float(lengths.values.max())
        return Finding(
            code_of(__name__),
            "note",
            f"rows are {least:.4g} to {most:.4g} long: of the nearest by {distance}, {agreement.value:.0%} are also"
            f" the nearest by {other}, and an index that takes one for the other reaches no more recall than that",
            f"see that the index was built for {distance}, with the vectors as they are",
            {
                "shortest": least,
                "longest": most,
                "agreement": agreement.value,
                "interval": agreement.interval,
                "n": agreement.n,
            },
        )


check = UnevenLengths()
