"""tie_recall@k: recall in which rows that tie at the cut stand in for each other.

Formula
    (|R ∩ S| + min(|R ∩ B|, |G| - |S|)) / |G|. With d the distance of the last row of G and t the width of the tie
    band, S is the rows nearer than d - t, B the rows within d ± t. t is 1e-6 of |d| for l2 (unsquared), l1 and ip
    on floating-point vectors, zero on whole numbers and bits, and 1e-6 for cosine on any.

Edge cases
    The band hangs on that one distance, so near ties do not chain. A tied row can fill a tied place and never that
    of a nearer row. Distances are recomputed from the vectors; what an engine reports is not used. recall <=
    tie_recall <= |R| / |G|. Where a filter left rows out, a returned id that the truth does not list cannot be told
    from one that may not answer and is a miss: build the truth deeper than k. Undefined as recall is.

Example
    Four rows at the distances 0, 1, 2 and 2; the truth lists the first three.

    >>> from truerecall import tie_recall_at_k
    >>> truth, at = [[0, 1, 2]] * 2, [[0, 1, 2]] * 2
    >>> tie_recall_at_k(truth, [[0, 1, 3], [1, 2, 3]], at, [[0, 1, 2], [1, 2, 2]], k=3).round(3).tolist()
    [1.0, 0.667]

Elsewhere
    Counting every row with d(r) <= d(g_k) (big-ann-benchmarks, DiskANN) gives both answers 1.0: a second tied row
    would make up for the lost nearest one. ann-benchmarks adds a fixed 1e-3 to the last true distance, whatever its
    scale.

Source
    The cap is ours; the need for it is that of facebookresearch/faiss#377 and
    harsha-simhadri/big-ann-benchmarks#74.
"""

from __future__ import annotations

import numpy as np

from truerecall.model.answers import Answers
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName


class TieRecall(Measure):
    title = "recall by distance: rows that tie at the cut stand in for each other"
    needs_distances = True

    def demand(self, name: MeasureName) -> None:
        name.demand_no_argument()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        at_cut, band = cut.at_cut[:, None], cut.band[:, None]
        nearer = (cut.true_distances - at_cut < -band).sum(axis=1)
        beyond = cut.distances - at_cut
        came = (beyond < -band).sum(axis=1)
        tied = (beyond <= band).sum(axis=1) - came
        hits = came + np.minimum(tied, cut.size - nearer)
        return PerQuery(cut.share(np.minimum(hits, cut.size)), cut.undefined)


measure = TieRecall()
