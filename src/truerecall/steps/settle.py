"""Bring a truth that was proved after the fact to the form of one that was built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from truerecall.model.arrays import Integers, Vectors
from truerecall.model.ids import rows_of, tie_ranks
from truerecall.model.neighbors import Neighbors
from truerecall.model.truth import NOT_COUNTED, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.question import Look
from truerecall.steps.answers import true_neighbors


def settled(
    truth: GroundTruth, corpus: Corpus, vectors: Vectors, seen: Sequence[Look], copies: Integers
) -> GroundTruth:
    """The truth with distances as we compute them, its lists in their order, and counts where nobody had counted.

    ``vectors``, ``seen`` and ``copies`` are in the order of its queries. The ids stay, also inside the tie band.
    """
    rows, offsets = rows_of(truth.neighbors.ids, corpus.ids), truth.neighbors.offsets
    exact = true_neighbors(np.split(rows, offsets[1:-1]), corpus, QuerySet(vectors), truth.distance)
    ranks = tie_ranks(corpus.given_ids)
    asking = np.repeat(np.arange(len(truth)), truth.neighbors.lengths)
    order = np.lexsort((rows if ranks is None else ranks[rows], exact.distances, asking))
    nearer = np.array([one.nearer[0] for one in seen], np.int64)
    tied = np.array([one.tied[1] for one in seen], np.int64)
    return replace(
        truth,
        neighbors=Neighbors(exact.ids[order], exact.distances[order], offsets),
        nearer=np.where(truth.nearer == NOT_COUNTED, nearer, truth.nearer),
        tied=np.where(truth.tied == NOT_COUNTED, tied, truth.tied),
        copies=np.where(truth.copies == NOT_COUNTED, copies, truth.copies),
    )
