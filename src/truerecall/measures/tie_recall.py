"""tie_recall@k: recall that gives rows which tie at the cut the same credit, whichever of them came back."""

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
        cut_at, band = cut.at_cut[:, None], cut.band[:, None]
        nearer = (cut.true_distances - cut_at < -band).sum(axis=1)
        came = (cut.distances - cut_at < -band).sum(axis=1)
        tied = (cut.distances - cut_at <= band).sum(axis=1) - came
        hits = came + np.minimum(tied, cut.size - nearer)
        return PerQuery(cut.share(np.minimum(hits, cut.size)), cut.undefined)


measure = TieRecall()
