"""The nearest rows of some queries under other distances than the declared one: what answers may fit instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from truerecall.model.arrays import Ids
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.judged import Rival
from truerecall.model.returned import Returned
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.scan.question import Question
from truerecall.scan.second_look import look
from truerecall.steps.fitting import Fitting

VALUES_LOOKED_AT = 2_000_000_000
"""How many values of the corpus, times queries, are looked at under each other distance."""
QUERIES_TRIED = 16
SPOKEN = {"l2": "l2", "ip": "inner product", "cosine": "cosine", "l1": "l1"}


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """``lists``: under each other distance the nearest ids of each of the queries."""

    query_ids: Ids
    lists: Mapping[str, tuple[Ids, ...]]


def spread_over(query_ids: Ids, corpus: Corpus) -> Ids:
    """So many of the queries as may be tried on the corpus, evenly over them."""
    values = corpus.source.rows * corpus.source.dimensions
    count = min(QUERIES_TRIED, len(query_ids), VALUES_LOOKED_AT // values)
    return query_ids[np.unique(np.linspace(0, len(query_ids) - 1, count).astype(np.int64))] if count else query_ids[:0]


def nearest_elsewhere(
    query_ids: Ids, k: int, distance: str, corpus: Corpus, queries: QuerySet, fitting: Fitting
) -> Elsewhere:
    """The ``k`` nearest rows of the queries under every distance but the declared one; none where that is of bits."""
    if not len(query_ids) or distance not in SPOKEN:
        return Elsewhere(query_ids[:0], {})
    of_query = rows_of(query_ids, queries.ids)
    places = rows_of(of_query, fitting.asked.places)
    found = {}
    for name in SPOKEN:
        if name != distance:
            question = Question(
                corpus.source, queries.vectors[of_query], places.tolist(), name, k, fitting.asked.eligibility
            )
            looks = look(question, [np.empty(0, np.int64)] * len(query_ids))
            found[name] = tuple(corpus.ids[seen.rows] for seen in looks)
    return Elsewhere(query_ids, found)


def rivals_elsewhere(returned: Returned, truth: GroundTruth, k: int, there: Elsewhere) -> Iterator[Rival]:
    """How the answers fit the lists of other distances, beside how they fit the truth, over the same queries."""
    came_from, listed = rows_of(there.query_ids, returned.query_ids), rows_of(there.query_ids, truth.query_ids)
    tried = [at for at in range(len(there.query_ids)) if came_from[at] != NO_ROW and not returned.failed[came_from[at]]]
    came = {at: _answer(returned, int(came_from[at]), k) for at in tried}
    own = [_share(truth.neighbors.of(int(listed[at]))[0][:k], came[at]) for at in tried]
    for name, lists in there.lists.items() if tried else ():
        shares = [_share(lists[at][:k], came[at]) for at in tried]
        yield Rival(SPOKEN[name], f"search by {truth.distance}, or build the truth with --distance {name}",
                    float(np.mean(shares)), float(np.mean(own)))  # fmt: skip


def _answer(returned: Returned, which: int, k: int) -> Ids:
    """The ids in the first ``k`` places of a list."""
    start, end = returned.neighbors.offsets[which : which + 2].tolist()
    end = min(end, start + k)
    return returned.neighbors.ids[start:end][~returned.holes[start:end]]


def _share(listed: Ids, came: Ids) -> float:
    """Of the listed ids the share that came."""
    return float((rows_of(listed, np.unique(came)) != NO_ROW).mean()) if len(listed) else 0.0
