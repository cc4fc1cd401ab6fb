"""How single queries fare at one setting, and semantic recall beside recall."""

from __future__ import annotations

import numpy as np

from truerecall.model.curve import Curve, Point
from truerecall.model.measure_name import MeasureName
from truerecall.report.curve_parts import SemanticRow, Spread
from truerecall.report.point_rows import setting_of
from truerecall.report.score_rows import low_words, score_row, stratum_row
from truerecall.steps.score import score_over


def spread(point: Point, measure: str) -> Spread | None:
    """How the values of single queries are spread; None where no query has one."""
    score = point.score(measure)
    if score is None or not score.per_query.defined.any():
        return None
    values = np.sort(score.per_query.values[score.per_query.defined])
    levels, counts = np.unique(np.round(values, 12), return_counts=True)
    return Spread(
        setting=setting_of(point),
        counts=tuple(zip(levels.tolist(), counts.tolist(), strict=True)),
        n=len(values),
        perfect=int((values == 1).sum()),
        low=low_words(score),
        strata=tuple(stratum_row(score.measure, own) for own in score.strata),
    )


def semantic_rows(curve: Curve, measure: str, seed: int) -> tuple[SemanticRow, ...]:
    """Semantic recall of the same depth beside recall; empty where it was not measured.

    ``seed``: that of the interval of recall over the queries that have both.
    """
    twin = str(MeasureName("semantic_recall", MeasureName.parse(measure).k))
    rows = []
    for place, point in enumerate(curve.points):
        recall, semantic = point.score(measure), point.score(twin)
        if recall is None or semantic is None:
            continue
        same = recall.per_query.defined & semantic.per_query.defined
        if same.any():
            on_same = score_row(score_over(recall, same, seed))
            rows.append(
                SemanticRow(setting_of(point), score_row(recall), score_row(semantic), on_same, place == curve.knee)
            )
    return tuple(rows)
