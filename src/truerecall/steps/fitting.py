"""Hold vectors against a truth: are they those that it was made of, and which rows may answer which query?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.errors import StaleTruth
from truerecall.model.arrays import Booleans
from truerecall.model.distance import distance_named
from truerecall.model.eligibility import RowLists
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.progress import SILENT, Progress
from truerecall.model.subject import demand_truth_about
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.choice import EXCLUDE_SELF, SELF, eligibility_of
from truerecall.steps.eligible import Asked, asked_of
from truerecall.steps.identify import Identities, identify
from truerecall.steps.unusable import NOT_FINITE, ZERO_VECTORS, Policies


@dataclass(frozen=True, eq=False)
class Fitting:
    """Vectors that a truth was made of, and what of them may answer."""

    sides: Identities
    asked: Asked


def fitting_of(
    truth: GroundTruth,
    corpus: Corpus,
    queries: QuerySet,
    *,
    rows: Booleans | None = None,
    allowed: RowLists | None = None,
    name: str = "the truth",
    progress: Progress = SILENT,
) -> Fitting:
    """What may answer, where the truth is about these vectors.

    ``rows`` and ``allowed``: what it was made with; the rest of its reasons tell themselves. Raises StaleTruth where it
    is about other vectors, left out other rows, or does not hold every query.
    """
    geometry = distance_named(truth.distance)
    sides = identify(corpus, queries, geometry, policies=policies_of(truth), progress=progress)
    demand_truth_about(truth.subject, sides.subject(geometry), name=name)
    own = next((way for way in EXCLUDE_SELF if truth.reasons.get(SELF, "").startswith(f"by {way}")), None)
    chosen = eligibility_of(corpus, queries, sides.copies, rows=rows, allowed=allowed, exclude_self=own)
    asked = asked_of(chosen, corpus, queries, sides)
    demand_same_reasons(truth, asked, name)
    of_query = rows_of(truth.query_ids, queries.ids)
    if len(np.unique(of_query)) < len(queries) or bool((of_query == NO_ROW).any()):
        raise StaleTruth(f"{name} does not hold every query exactly once", "build it anew")
    return Fitting(sides, asked)


def policies_of(truth: GroundTruth) -> Policies:
    """What the truth left out as unusable is left out again, and nothing else."""
    return Policies(
        zero_vectors="leave-out" if ZERO_VECTORS in truth.reasons else "refuse",
        not_finite="leave-out" if NOT_FINITE in truth.reasons else "refuse",
    )


def demand_same_reasons(truth: GroundTruth, asked: Asked, name: str) -> None:
    """Raises StaleTruth where other rows may answer than when the truth was made."""
    for reason in sorted({*truth.reasons, *asked.reasons}):
        was, is_now = (reasons.get(reason, "nothing") for reasons in (truth.reasons, asked.reasons))
        if was != is_now:
            raise StaleTruth(
                f"{name} was made of other eligible rows ({reason}: {was}; now: {is_now})",
                "give the --rows and --allowed that it was made with",
            )
