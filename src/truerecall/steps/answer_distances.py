"""The true distances of what another system returned: as far as the truth lists them, or from the vectors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerecall.kernels.distances import distances_of_keys
from truerecall.model.arrays import Booleans, Floats, Integers
from truerecall.model.eligibility import Eligibility, RowLists
from truerecall.model.foreign import ForeignLists
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.neighbors import Neighbors
from truerecall.model.progress import SILENT, Progress
from truerecall.model.returned import Returned
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.finish import exact_keys
from truerecall.steps.align import codes_of
from truerecall.steps.fitting import Fitting


def listed_distances(lists: ForeignLists, asking: Integers, truth: GroundTruth) -> Floats:
    """The true distance of each place as far as the truth lists its id for its query, NaN elsewhere.

    ``asking``: for each list the place of its query in the truth.
    """
    true_codes, codes = codes_of([truth.neighbors.ids, lists.ids])
    span = 1 + max(int(true_codes.max(initial=0)), int(codes.max(initial=0)))
    true_keys = np.repeat(np.arange(len(truth)), truth.neighbors.lengths) * span + true_codes
    keys = np.repeat(asking, np.diff(lists.offsets)) * span + codes
    row = rows_of(keys, true_keys)
    held = (row != NO_ROW) & ~(np.zeros(len(keys), np.bool_) if lists.holes is None else lists.holes)
    distances = np.full(len(keys), np.nan)
    distances[held] = truth.neighbors.distances[row[held]]
    return distances


def with_distances(
    returned: Returned, truth: GroundTruth, corpus: Corpus, queries: QuerySet, fitting: Fitting,
    progress: Progress = SILENT,
) -> Returned:  # fmt: skip
    """The answers with the true distance, in float64 from the vectors as they stand, of every row that may answer.

    What the corpus does not hold, and what may not answer, has none.
    """
    rows = np.where(returned.holes, NO_ROW, rows_of(returned.neighbors.ids, corpus.ids))
    asking = rows_of(returned.query_ids, queries.ids)[returned.owners]
    may = np.flatnonzero((rows != NO_ROW) & _may(fitting, asking, rows))
    progress.start("recomputing distances", len(may), "pairs")
    keys = exact_keys(corpus.source, queries.vectors, truth.distance, asking[may], rows[may])
    progress.advance(len(may))
    distances = np.full(len(rows), np.nan)
    distances[may] = distances_of_keys(truth.distance, keys)
    neighbors = Neighbors(returned.neighbors.ids, distances, returned.neighbors.offsets)
    return replace(
        returned, neighbors=neighbors, known=np.ones(len(rows), np.bool_), strange=(rows == NO_ROW) & ~returned.holes
    )


def _may(fitting: Fitting, asking: Integers, rows: Integers) -> Booleans:
    """For each pair of a query's place and a row whether that row may answer that query."""
    eligibility: Eligibility = fitting.asked.eligibility
    place = rows_of(asking, fitting.asked.places)
    may: Booleans = np.asarray(place != NO_ROW)
    if eligibility.rows is not None:
        may &= eligibility.rows[rows]
    if eligibility.allowed is not None:
        may &= _listed(eligibility.allowed, place, rows)
    if eligibility.excluded is not None:
        may &= ~_listed(eligibility.excluded, place, rows)
    return may


def _listed(lists: RowLists, place: Integers, rows: Integers) -> Booleans:
    span = 1 + max(int(lists.rows.max(initial=0)), int(rows.max(initial=0)))
    pairs = np.repeat(np.arange(len(lists.lengths)), lists.lengths) * span + lists.rows
    return np.asarray(np.isin(place * span + rows, pairs))
