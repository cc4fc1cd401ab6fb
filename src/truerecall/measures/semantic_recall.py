"""semantic_recall@k: recall over those of the k true nearest neighbours that a judge calls relevant.

Formula
    |R ∩ SN| / |SN|, SN the rows of G that the labels call relevant (a grade of at least the threshold).

Edge cases
    A relevant row outside G counts neither way: that loss is the embedding's, not the index's. No relevant row in
    G: undefined; many such queries may mean a failing embedding model. Otherwise as recall.

Example
    >>> from truerecall import per_query
    >>> per_query(["semantic_recall@5"], [list("abcde")], [list("abcdx")], relevant_ids=[list("acd")])[
    ...     "semantic_recall@5"
    ... ].tolist()
    [1.0]

Elsewhere
    Recall of information retrieval divides by all relevant rows, wherever they lie, and mixes the loss of the index
    with that of the embedding; ``Rprec``, ``AP`` and ``nDCG`` do so too, and stand beside exact search here.

Source
    arXiv 2604.20417.
"""

from __future__ import annotations

import numpy as np

from truerecall.kernels.overlap import listed
from truerecall.model.answers import Answers
from truerecall.model.arrays import Booleans, Integers, Texts, texts
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName

NONE_RELEVANT = "no true neighbour is labelled relevant (many such queries may mean a failing embedding model)"

PAPER_DEPTH, PAPER_EDGES = 100, (20, 80)
"""The paper reports queries with under 20, with 20 to 79, and with 80 and more of 100 neighbours relevant."""


class SemanticRecall(Measure):
    title = "share of the relevant true nearest neighbours that came back"
    needs_labels = True
    usual = True

    def demand(self, name: MeasureName) -> None:
        name.demand_plain()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        relevant = self.relevant_neighbors(answers, name)
        possible = relevant.sum(axis=1)
        came = np.zeros((len(relevant), relevant.shape[1] + 1), np.bool_)
        np.put_along_axis(came, np.maximum(cut.place, -1), values=True, axis=1)  # the last column takes all that missed
        hits = (came[:, :-1] & relevant).sum(axis=1)
        reasons = np.where(~cut.defined, cut.undefined, np.where(possible == 0, NONE_RELEVANT, ""))
        values = np.where(reasons == "", hits / np.maximum(possible, 1), 0.0)
        return PerQuery(values, texts(reasons), groups=groups_by(possible, name.k))

    def relevant_neighbors(self, answers: Answers, name: MeasureName) -> Booleans:
        """Which of the true neighbours are relevant."""
        if answers.relevant is None:
            raise ValueError("semantic recall was asked for without labels")
        return listed(answers.cut(name.k, name.places).truth, answers.relevant)


def groups_by(relevant: Integers, k: int) -> Texts:
    """The group of each query by its number of relevant neighbours: those of the paper at k = 100, else thirds of the
    queries that have any."""
    some = relevant[relevant > 0]
    if k == PAPER_DEPTH:
        edges = np.array(PAPER_EDGES)
    else:
        edges = np.unique(np.quantile(some, (1 / 3, 2 / 3), method="inverted_cdf")) + 1 if len(some) else np.array([1])
    group = np.searchsorted(edges, relevant, side="right")
    names = np.full(len(relevant), "", np.dtypes.StringDType())
    for place in np.unique(group):
        inside = relevant[(group == place) & (relevant > 0)]
        if len(inside):
            least, most = int(inside.min()), int(inside.max())
            names[group == place] = f"{least} relevant" if least == most else f"{least} to {most} relevant"
    names[relevant == 0] = "0 relevant"
    return texts(names)


measure = SemanticRecall()
