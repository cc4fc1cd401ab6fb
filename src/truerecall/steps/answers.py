"""What came back, as neighbours: row numbers under the ids of the corpus, each with its true distance.

An engine's own distances are never used. They come squared, negated or from a compressed copy.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerecall.errors import EngineFailed
from truerecall.kernels.distances import distances_of_keys
from truerecall.model.arrays import Integers
from truerecall.model.neighbors import Neighbors, offsets_of
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.finish import exact_keys


def true_neighbors(answers: Sequence[Integers], corpus: Corpus, queries: QuerySet, distance: str) -> Neighbors:
    """The answers, one per query, with distances in float64 from the vectors as they stand in the corpus.

    Raises EngineFailed for a row number that the corpus does not have.
    """
    offsets = offsets_of(np.array([len(answer) for answer in answers], np.int64))
    rows = np.concatenate(answers)
    strange = rows[(rows < 0) | (rows >= corpus.source.rows)]
    if len(strange):
        raise EngineFailed(
            f"the engine returned row {strange[0]} and {corpus.source.name} has {corpus.source.rows}",
            "report it to the authors of the engine",
        )
    asking = np.repeat(np.arange(len(answers)), np.diff(offsets))
    ids = rows if corpus.given_ids is None else corpus.given_ids[rows]
    keys = exact_keys(corpus.source, queries.vectors, distance, asking, rows)
    return Neighbors(ids, distances_of_keys(distance, keys), offsets)
