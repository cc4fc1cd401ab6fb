"""Bring answers and truth together: by query id, never by position, and with every id as an integer code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from truerecall.errors import StaleTruth
from truerecall.model.answers import Answers, Grades
from truerecall.model.arrays import Booleans, Floats, Ids, Integers
from truerecall.model.cut import NOTHING
from truerecall.model.ids import NO_ROW, refuse_repeated, rows_of
from truerecall.model.labels import Labels
from truerecall.model.neighbors import Neighbors
from truerecall.model.truth import APPROXIMATE, GroundTruth
from truerecall.steps.may_count import may_count


def align(
    query_ids: Ids,
    neighbors: Neighbors,
    failed: Booleans,
    truth: GroundTruth,
    *,
    depth: int,
    labels: Labels | None = None,
    distances_of: Literal["rows", "eligible rows"] = "rows",
) -> Answers:
    """The answers in the order of the truth's queries, all lists cut to their first ``depth`` places.

    A query of the truth that was not asked has failed; what came back from a failed query is dropped. Labels of
    queries that the truth does not hold are left aside. ``distances_of``: whether every row of the corpus that came
    back has its true distance, or those alone that may answer (and the others NaN), so that nothing is left to tell.
    Raises StaleTruth where an answer belongs to a query that the truth does not hold, InputError where a query id is
    repeated.
    """
    _demand_known(query_ids, truth)
    refuse_repeated(query_ids, what="the answers")
    asked = rows_of(truth.query_ids, query_ids)
    answered = asked != NO_ROW
    answered[answered] = ~failed[asked[answered]]

    # What may answer is told by all that the truth lists, where rows were left out.
    true_places = _places(truth.neighbors, np.arange(len(truth)), max(depth, truth.k) if truth.reasons else depth)
    found_places = _places(neighbors, np.where(answered, asked, NO_ROW), depth)
    judged_ids = labels.ids if labels is not None else truth.neighbors.ids[:0]
    true_codes, found_codes, judged_codes, query_codes = codes_of(
        [
            truth.neighbors.ids[true_places[true_places >= 0]],
            neighbors.ids[found_places[found_places >= 0]],
            judged_ids,
            truth.query_ids,
        ]
    )
    true, found = _filled(true_places, true_codes, NOTHING), _filled(found_places, found_codes, NOTHING)
    found_distances = _filled(found_places, neighbors.distances[found_places[found_places >= 0]], np.nan)
    lengths, ends = truth.neighbors.lengths, truth.neighbors.offsets[1:]
    deepest = np.full(len(truth), np.inf)
    deepest[lengths > 0] = truth.neighbors.distances[ends[lengths > 0] - 1]
    judged = None if labels is None else _judged(labels, judged_codes, truth)
    return Answers(
        truth=true,
        truth_distances=_filled(true_places, truth.neighbors.distances[true_places[true_places >= 0]], np.nan),
        eligible=truth.eligible,
        found=found,
        found_distances=found_distances,
        failed=~answered,
        relevant=None if judged is None else _relevant(judged),
        judged=judged,
        may_count=may_count(
            truth.reasons if distances_of == "rows" else {},
            truth.distance,
            truth=true,
            found=found,
            query_codes=query_codes,
            found_distances=found_distances,
            deepest=deepest,
        ),
        deepest=deepest,
        whole=(lengths == truth.eligible) | (truth.nearer + truth.tied == truth.eligible),
        distance=truth.distance,
        integral=all(np.dtype(side.dtype).kind in "iu" for side in (truth.corpus, truth.queries)),
        approximate=truth.state == APPROXIMATE,
    )


def codes_of(parts: Sequence[Ids]) -> list[Integers]:
    """For each of several id arrays its ids as codes: equal ids share one, across arrays and integer types."""
    coded: list[Integers] = []
    known: list[tuple[int, Ids]] = []
    total = 0
    for part in parts:
        codes = np.full(len(part), NO_ROW, np.int64)
        for start, ids in known:
            rows = rows_of(part, ids)
            codes[rows != NO_ROW] = start + rows[rows != NO_ROW]
        fresh, place = np.unique(part[codes == NO_ROW], return_inverse=True)
        codes[codes == NO_ROW] = total + place
        known.append((total, fresh))
        total += len(fresh)
        coded.append(codes)
    return coded


def _demand_known(query_ids: Ids, truth: GroundTruth) -> None:
    unknown = rows_of(query_ids, truth.query_ids) == NO_ROW
    if bool(unknown.any()):
        raise StaleTruth(
            f"{int(unknown.sum())} of {len(query_ids)} answered queries are not in the truth"
            f" (first: {query_ids[unknown][0]})",
            "give the truth of these queries, or answers to the queries of this truth",
        )


def _places(neighbors: Neighbors, lists: Integers, depth: int) -> Integers:
    """Where in ``neighbors.ids`` each place of each list lies, NOTHING past its end; NO_ROW is an empty list.

    Shape: (lists, the longest of them or ``depth`` if that is less).
    """
    if not len(neighbors):
        return np.empty((len(lists), 0), np.int64)
    lengths = np.where(lists == NO_ROW, 0, np.minimum(neighbors.lengths[lists], depth))
    columns = np.arange(lengths.max(initial=0), dtype=np.int64)
    return np.where(columns < lengths[:, None], neighbors.offsets[lists][:, None] + columns, NOTHING)


def _filled(places: Integers, values: Integers | Floats, padding: float) -> Any:
    """An array of the shape of ``places`` that holds the values where there is a place, in order, and padding else."""
    array = np.full(places.shape, padding, values.dtype)
    array[places >= 0] = values
    return array


def _judged(labels: Labels, codes: Integers, truth: GroundTruth) -> Grades:
    """The labels by query. A pair that is listed twice keeps its highest grade."""
    query = rows_of(labels.query_ids, truth.query_ids)
    query, codes, grades = query[query != NO_ROW], codes[query != NO_ROW], np.asarray(labels.grades)[query != NO_ROW]
    order = np.lexsort((-grades, codes, query))
    query, codes, grades = query[order], codes[order], grades[order]
    first = np.ones(len(order), np.bool_)
    first[1:] = (query[1:] != query[:-1]) | (codes[1:] != codes[:-1])
    edges = np.searchsorted(query[first], np.arange(1, len(truth)))
    return Grades(tuple(np.split(codes[first], edges)), tuple(np.split(grades[first], edges)), labels.relevant_from)


def _relevant(judged: Grades) -> tuple[Integers, ...]:
    pairs = zip(judged.codes, judged.grades, strict=True)
    return tuple(codes[grades >= judged.relevant_from] for codes, grades in pairs)
