"""What the numbers are that a system reports beside its answers. They never judge; they can show that another distance,
another scale or other vectors were searched."""

from __future__ import annotations

import numpy as np

from truerecall.kernels.distances import distances_of_keys
from truerecall.model.arrays import Floats
from truerecall.model.distance import DISTANCES
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.judged import Reported
from truerecall.model.returned import Returned
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.finish import exact_keys
from truerecall.steps.identify import HAMMING
from truerecall.steps.scales import SCALES, best_fit

LEAST = 2
"""Fewer pairs than this tell nothing: one number fits many scales."""
LOOKED_AT = 10_000
"""How many pairs are tried under other distances."""


def reported_of(returned: Returned, truth: GroundTruth, vectors: tuple[Corpus, QuerySet] | None) -> Reported | None:
    """What the reported numbers are; None where there are none, or too few that can be held against true distances.

    ``vectors``: corpus and queries, for a look at other distances where ours does not explain the numbers.
    """
    if returned.reported is None:
        return None
    true = returned.neighbors.distances
    both = np.flatnonzero(~np.isnan(returned.reported) & ~np.isnan(true))
    if len(both) < LEAST or len(np.unique(true[both])) < LEAST:
        return None
    fit = best_fit(truth.distance, returned.reported[both], true[both], bits=_bits(truth, vectors))
    own = next(iter(SCALES.get(truth.distance, {truth.distance: None})))
    agree = int(fit.agrees.sum())
    found = Reported(truth.distance, fit.scale, fit.scale == own, agree, len(both))
    if found.fits or vectors is None or truth.distance == HAMMING:
        return found
    return Reported(truth.distance, fit.scale, fit.scale == own, agree, len(both), _other(returned, truth, *vectors))


def _other(returned: Returned, truth: GroundTruth, corpus: Corpus, queries: QuerySet) -> tuple[str, str] | None:
    """The other distance and the scale on which the numbers agree."""
    assert returned.reported is not None
    rows = np.where(returned.holes, NO_ROW, rows_of(returned.neighbors.ids, corpus.ids))
    usable = np.flatnonzero((rows != NO_ROW) & ~np.isnan(returned.reported))[:LOOKED_AT]
    asking = rows_of(returned.query_ids, queries.ids)[returned.owners][usable]
    given: Floats = returned.reported[usable]
    for other in DISTANCES.values():
        if other.name in (truth.distance, HAMMING):
            continue
        with np.errstate(all="ignore"):  # a zero vector has no cosine; NaN agrees with nothing
            keys = exact_keys(corpus.source, queries.vectors, other.name, asking, rows[usable])
            fit = best_fit(other.name, given, distances_of_keys(other.name, keys))
        if Reported(other.name, fit.scale, False, int(fit.agrees.sum()), len(given)).fits:
            return other.name, fit.scale
    return None


def _bits(truth: GroundTruth, vectors: tuple[Corpus, QuerySet] | None) -> int | None:
    if truth.distance != HAMMING:
        return None
    bits = None if vectors is None else vectors[0].source.bits
    return bits or 8 * truth.corpus.dimensions
