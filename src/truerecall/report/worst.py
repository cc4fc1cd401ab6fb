"""The queries that fare worst: what they lost, and how near it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from truerecall.model.arrays import Floats, Ids
from truerecall.model.curve import Curve, Point
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.labels import Labels
from truerecall.model.measure_name import MeasureName
from truerecall.model.truth import GroundTruth
from truerecall.report.point_rows import setting_of
from truerecall.report.rows import reading_point
from truerecall.report.summary_parts import Neighbour, Worst, WorstQuery


@dataclass(frozen=True)
class Known:
    """What is known of rows and queries beside their vectors: texts by ``str(id)``, relevant pairs."""

    corpus_texts: Mapping[str, str]
    query_texts: Mapping[str, str]
    relevant: frozenset[tuple[str, str]] | None


def worst_queries(
    curves: Sequence[Curve],
    names: Sequence[str],
    truth: GroundTruth,
    measure: str,
    corpus_texts: Mapping[str, str],
    query_texts: Mapping[str, str],
    labels: Labels | None,
    most: int,
) -> Worst | None:
    """At most ``most`` queries with the lowest values, at the knee of the first curve or its best point.

    Only queries that fall short of a full score; equal values in the order of the truth, which is that of the values.
    None without scores.
    """
    point = reading_point(curves[0], measure) if curves else None
    score = point.score(measure) if point is not None else None
    if point is None or score is None:
        return None
    values, defined = score.per_query.values, score.per_query.defined
    short = np.flatnonzero(defined & (values < 1))
    order = short[np.argsort(values[short], kind="stable")]
    in_run = rows_of(truth.query_ids, point.run.query_ids)
    known = Known(corpus_texts, query_texts, _pairs(labels))
    chosen = order[in_run[order] != NO_ROW][:most]
    k = MeasureName.parse(measure).k
    shown = tuple(_worst_query(point, int(in_run[q]), int(q), truth, k, float(values[q]), known) for q in chosen)
    return Worst(names[0], setting_of(point), len(short), int(defined.sum()), shown)


def _worst_query(
    point: Point, query: int, place: int, truth: GroundTruth, k: int, value: float, known: Known
) -> WorstQuery:
    """One query of a run (``query``) beside the same query of the truth (``place``)."""
    query_id = str(point.run.query_ids[query])
    true_ids, true_distances = truth.neighbors.of(place)
    came_ids, came_distances = point.run.neighbors.of(query)
    true_ids, true_distances, came_ids, came_distances = (
        true_ids[:k], true_distances[:k], came_ids[:k], came_distances[:k],
    )  # fmt: skip
    in_answer = rows_of(true_ids, np.unique(came_ids)) != NO_ROW
    in_truth = rows_of(came_ids, true_ids) != NO_ROW
    true = list(_neighbours(true_ids, true_distances, query_id, known))
    wrong = [
        n for n, hit in zip(_neighbours(came_ids, came_distances, query_id, known), in_truth, strict=True) if not hit
    ]
    return WorstQuery(
        id=query_id,
        text=known.query_texts.get(query_id),
        value=value,
        cut=float(true_distances[-1]),
        found=tuple(n for n, hit in zip(true, in_answer, strict=True) if hit),
        missed=tuple(n for n, hit in zip(true, in_answer, strict=True) if not hit),
        instead=tuple(sorted(wrong, key=lambda n: np.inf if n.distance is None else n.distance)),
        returned=len(came_ids),
        failure=str(point.run.failures[query]),
    )


def _neighbours(ids: Ids, distances: Floats, query_id: str, known: Known) -> Iterator[Neighbour]:
    for place, (own_id, distance) in enumerate(zip(ids.tolist(), distances.tolist(), strict=True)):
        name = str(own_id)
        relevant = None if known.relevant is None else (query_id, name) in known.relevant
        yield Neighbour(
            place + 1, name, known.corpus_texts.get(name), None if np.isnan(distance) else distance, relevant
        )


def _pairs(labels: Labels | None) -> frozenset[tuple[str, str]] | None:
    if labels is None:
        return None
    return frozenset(zip(map(str, labels.query_ids.tolist()), map(str, labels.ids.tolist()), strict=True))
