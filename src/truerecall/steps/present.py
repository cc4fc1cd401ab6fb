"""The neighbours of a truth where the corpus has drifted from it: how far they lie now.

What came back is measured by the vectors as they stand, so the neighbours that it is held against have to be too; else
a row that moved would be nearer or further than itself.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerecall.model.answers import Answers
from truerecall.model.arrays import Ids
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.neighbors import Neighbors
from truerecall.model.progress import SILENT, Progress
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.answer_distances import distances_in, may_answer, recomputed
from truerecall.steps.fitting import Fitting


def present_neighbors(
    truth: GroundTruth,
    corpus: Corpus,
    queries: QuerySet,
    fitting: Fitting | None = None,
    progress: Progress = SILENT,
) -> Neighbors:
    """The truth's lists as they stand, in the order of ``queries``, with the true distances of now, in float64.

    An id that is gone keeps its stored distance, and so does one that ``fitting`` no longer lets answer. It stays one
    of the neighbours that recall counts and misses; so a row that is as near as it was can stand in for it, and no
    other. Without it the divisor would shrink, or any row would do.
    """
    lists = truth.neighbors.of_queries(rows_of(queries.ids, truth.query_ids))
    rows = rows_of(lists.ids, corpus.ids)
    may = rows != NO_ROW if fitting is None else may_answer(fitting, lists.asking, rows)
    distances = recomputed(lists.distances, truth.distance, corpus, queries, lists.asking, rows, may, progress)
    return Neighbors(lists.ids, distances, lists.offsets)


def at_present(answers: Answers, truth: GroundTruth, present: Neighbors, query_ids: Ids) -> Answers:
    """The answers beside the true neighbours as far as they lie now.

    ``present``: of each of the ``query_ids`` neighbours of now; one of the truth's that it does not hold keeps its
    stored distance. Which queries have a value is told by the lists as stored, so that every measure is a mean over
    the same ones.
    """
    lists = truth.neighbors
    now = distances_in(present, rows_of(truth.query_ids, query_ids)[lists.asking], lists.ids)
    column = np.arange(len(lists.ids)) - lists.offsets[:-1][lists.asking]
    known = (column < answers.truth.shape[1]) & ~np.isnan(now)
    distances = answers.truth_distances.copy()
    distances[lists.asking[known], column[known]] = now[known]
    return replace(answers, truth_distances=distances, stored=answers)
