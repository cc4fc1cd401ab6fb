"""agreement@k: the share of what one index returned that another returned too.

Formula
    That of recall@k, with the lists of an index in place of the truth.

Edge cases
    Only beside a truth in the state ``approximate``, which recall is refused for; beside an exact truth it is
    refused itself. Two indexes may agree and both be wrong, and a better search looks worse.

Example
    An index that found all ten, beside one that missed two.

    >>> import numpy as np
    >>> from truerecall.measures.agreement import measure
    >>> from truerecall.model.answers import Answers
    >>> from truerecall.model.measure_name import MeasureName
    >>> reference, found = np.array([[0, 1, 2, 3, 4, 5, 6, 7, 20, 21]]), np.arange(10)[None]
    >>> one, none = np.ones((1, 10)), np.zeros(1, bool)
    >>> answers = Answers(reference, one, np.array([99]), found, one, none, approximate=True)
    >>> measure.per_query(answers, MeasureName("agreement", 10)).values.tolist()
    [0.8]

Elsewhere
    Called recall wherever the truth is made by an index (nmslib/hnswlib#423, microsoft/DiskANN#1172).

Source
    Ours: the name.
"""

from __future__ import annotations

from truerecall.model.answers import Answers
from truerecall.model.measure import Measure, PerQuery
from truerecall.model.measure_name import MeasureName


class Agreement(Measure):
    title = "share of an index's answers that came back from another"
    of_approximate = True

    def demand(self, name: MeasureName) -> None:
        name.demand_plain()

    def per_query(self, answers: Answers, name: MeasureName) -> PerQuery:
        cut = answers.cut(name.k, name.places)
        return PerQuery(cut.share(cut.hits), cut.undefined)


measure = Agreement()
