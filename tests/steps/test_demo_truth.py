"""The truth of the bundled vectors equals a brute force that knows nothing of the scan, for every query."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import truerecall
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.truth import build_truth

WORDNET = Path(truerecall.__file__).parent / "cli" / "wordnet"
K = 10


@pytest.mark.parametrize("distance", ["l2", "ip", "cosine"])
def test_every_query_of_the_demo(distance: str) -> None:
    vectors, queries = np.load(WORDNET / "corpus.npy"), np.load(WORDNET / "queries.npy")
    truth = build_truth(Corpus(ArraySource(vectors)), QuerySet(queries), distance, K)
    wide = vectors.astype(np.float64)
    lengths = np.sqrt((wide**2).sum(axis=1))
    for place, query in enumerate(queries.astype(np.float64)):
        if distance == "l2":
            values = np.sqrt(((wide - query) ** 2).sum(axis=1))
        elif distance == "ip":
            values = -(wide * query).sum(axis=1)
        else:
            values = 1 - (wide * query).sum(axis=1) / (lengths * np.sqrt((query**2).sum()))
        nearest = np.lexsort((np.arange(len(values)), values))[:K]
        ids, distances = truth.neighbors.of(place)
        assert ids.tolist() == nearest.tolist()
        assert distances == pytest.approx(values[nearest], rel=1e-12, abs=1e-14)
