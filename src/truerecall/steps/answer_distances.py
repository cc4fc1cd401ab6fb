"""The true distances of what another system returned: as far as the truth lists them, or from the vectors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerecall.kernels.distances import distances_of_keys
from truerecall.model.arrays import Booleans, Floats, Ids, Integers
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
    distances = distances_in(truth.neighbors, np.repeat(asking, np.diff(lists.offsets)), lists.ids)
    if lists.holes is not None:
        distances[lists.holes] = np.nan
    return distances


def distances_in(neighbors: Neighbors, asking: Integers, ids: Ids) -> Floats:
    """For each pair of a list's place and an id the distance that the list gives it, NaN where it does not hold it.

    The place may be NO_ROW: nothing is in that list.
    """
    listed, codes = codes_of([neighbors.ids, ids])
    span = 1 + max(int(listed.max(initial=0)), int(codes.max(initial=0)))
    row = rows_of(asking * span + codes, neighbors.asking * span + listed)
    held = row != NO_ROW
    distances = np.full(len(ids), np.nan)
    distances[held] = neighbors.distances[row[held]]
    return distances


def recomputed(
    known: Floats, distance: str, corpus: Corpus, queries: QuerySet, asking: Integers, rows: Integers, may: Booleans,
    progress: Progress = SILENT,
) -> Floats:  # fmt: skip
    """For each pair of a query's place and a row that ``may`` answer the true distance, in float64 from the vectors as
    they stand; for every other pair what is ``known``."""
    pairs = np.flatnonzero(may)
    progress.start("recomputing distances", len(pairs), "pairs")
    keys = exact_keys(corpus.source, queries.vectors, distance, asking[pairs], rows[pairs])
    progress.advance(len(pairs))
    distances = known.copy()
    distances[pairs] = distances_of_keys(distance, keys)
    return distances


def with_distances(
    returned: Returned, truth: GroundTruth, corpus: Corpus, queries: QuerySet, fitting: Fitting,
    progress: Progress = SILENT,
) -> Returned:  # fmt: skip
    """The answers with the true distance, in float64 from the vectors as they stand, of every row that may answer.

    What the corpus does not hold, and what may not answer, has none; but where the corpus has drifted from the truth,
    what the truth lists all the same keeps the distance that it has there, and counts in every measure.
    """
    rows = np.where(returned.holes, NO_ROW, rows_of(returned.neighbors.ids, corpus.ids))
    asking = rows_of(returned.query_ids, queries.ids)[returned.owners]
    listed, may = returned.neighbors.distances, may_answer(fitting, asking, rows)
    distances = recomputed(listed, truth.distance, corpus, queries, asking, rows, may, progress)
    neighbors = Neighbors(returned.neighbors.ids, distances, returned.neighbors.offsets)
    strange = (rows == NO_ROW) & ~returned.holes & np.isnan(distances)
    return replace(returned, neighbors=neighbors, known=np.ones(len(rows), np.bool_), strange=strange)


def may_answer(fitting: Fitting, asking: Integers, rows: Integers) -> Booleans:
    """For each pair of a query's place and a row whether that row may answer that query; NO_ROW may not."""
    eligibility: Eligibility = fitting.asked.eligibility
    place = rows_of(asking, fitting.asked.places)
    may: Booleans = np.asarray((place != NO_ROW) & (rows != NO_ROW))
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
