"""A slow truth under masks, by formulas of its own: what the scans must find, and what verification must accept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from truerecall.model.arrays import Floats
from truerecall.model.distance import distance_named
from truerecall.model.eligibility import EVERYTHING, Eligibility
from truerecall.model.neighbors import Neighbors, offsets_of
from truerecall.model.truth import PROVED, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.eligible import asked_of
from truerecall.steps.identify import Identities, identify


def plain_distances(distance: str, rows: NDArray[Any], query: NDArray[Any]) -> Floats:
    """From one query to every row, in float64, by the formula as it is written."""
    if distance == "hamming":
        return np.array([sum(int(a ^ b).bit_count() for a, b in zip(row, query, strict=True)) for row in rows], float)
    x, q = rows.astype(np.float64), query.astype(np.float64)
    with np.errstate(all="ignore"):
        if distance == "l2":
            return np.asarray(np.sqrt(np.add.reduce((x - q) ** 2, axis=1)))
        if distance == "l1":
            return np.asarray(np.add.reduce(np.abs(x - q), axis=1))
        dots = np.add.reduce(x * q, axis=1)
        if distance == "ip":
            return np.asarray(-dots)
        return np.asarray(1 - dots / np.sqrt(np.add.reduce(x * x, axis=1) * np.add.reduce(q * q)))


def slow_truth(
    corpus: Corpus,
    queries: QuerySet,
    distance: str,
    k: int,
    *,
    eligibility: Eligibility = EVERYTHING,
    sides: Identities | None = None,
) -> GroundTruth:
    """The truth by looking at every row of every query, one query at a time."""
    sides = sides or identify(corpus, queries, distance_named(distance))
    asked = asked_of(eligibility, corpus, queries, sides)
    vectors = corpus.source.take(np.arange(corpus.source.rows))
    integral = vectors.dtype.kind in "iu" and queries.dtype.kind in "iu"
    names = corpus.ids.tolist()
    lists: list[list[int]] = []
    values: list[Floats] = []
    counts = np.zeros((4, len(queries)), np.int64)
    place = 0
    for query in range(len(queries)):
        if query not in asked.places:
            lists.append([])
            values.append(np.empty(0))
            continue
        rows = asked.eligibility.rows_for(place, corpus.source.rows)
        place += 1
        own = plain_distances(distance, vectors[rows], queries.vectors[query])
        order = sorted(range(len(rows)), key=lambda i, own=own, rows=rows: (own[i], names[rows[i]]))  # type: ignore[misc]
        best = order[:k]
        cut = own[best[-1]]
        band = distance_named(distance).tie_band(np.array([cut]), integral=integral)[0]
        copies = (vectors[rows].astype(np.float64) == queries.vectors[query].astype(np.float64)).all(axis=1)
        counts[:, query] = len(rows), (own < cut - band).sum(), (np.abs(own - cut) <= band).sum(), copies.sum()
        lists.append(rows[best].tolist())
        values.append(own[best])
    return GroundTruth(
        distance=distance,
        k=k,
        state=PROVED,
        corpus=sides.corpus.fingerprint,
        queries=sides.queries.fingerprint,
        query_ids=queries.ids,
        neighbors=Neighbors(
            corpus.ids[np.array([row for rows in lists for row in rows], np.int64)],
            np.concatenate(values),
            offsets_of(np.array([len(rows) for rows in lists], np.int64)),
        ),
        eligible=counts[0],
        nearer=counts[1],
        tied=counts[2],
        copies=counts[3],
        reasons=asked.reasons,
    )
