"""Hold vectors against a truth: are they those that it was made of, and which rows may answer which query?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerecall.errors import StaleTruth
from truerecall.model.arrays import Booleans, Integers
from truerecall.model.distance import distance_named
from truerecall.model.drift import Drift
from truerecall.model.eligibility import RowLists
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.progress import SILENT, Progress
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.choice import eligibility_of, own_exclusion
from truerecall.steps.eligible import Asked, asked_of
from truerecall.steps.identify import Identities, identify
from truerecall.steps.staleness import demand_truth_fits
from truerecall.steps.unusable import REFUSE_ALL, Policies, policies_of
from truerecall.store.identities import IdentityCache


@dataclass(frozen=True, eq=False)
class Fitting:
    """Vectors that a truth was made of, what of them may answer, and where each query of the truth is among theirs.

    ``drift``: how the corpus differs from the truth's, where the user allows it to.
    """

    sides: Identities
    asked: Asked
    of_query: Integers
    drift: Drift | None = None


def fitting_of(
    truth: GroundTruth,
    corpus: Corpus,
    queries: QuerySet,
    *,
    rows: Booleans | None = None,
    allowed: RowLists | None = None,
    identities: Identities | None = None,
    model: str | None = None,
    max_drift: float | None = None,
    name: str = "the truth",
    progress: Progress = SILENT,
) -> Fitting:
    """What may answer, where the truth is about these vectors.

    ``rows`` and ``allowed``: what it was made with; the rest of its reasons tell themselves. ``identities`` of the
    vectors, where they are known already; ``model``: what they are said to be embedded by. ``max_drift``: the
    largest share of rows that may differ. Raises StaleTruth where the truth is about other vectors, left out other
    rows, or does not hold every query.
    """
    sides = identities or identify_for(truth, corpus, queries, progress=progress)
    subject = sides.subject(distance_named(truth.distance), model)
    drift = demand_truth_fits(truth, corpus, queries, sides, subject, max_drift=max_drift, name=name)
    own = own_exclusion(truth.reasons)
    chosen = eligibility_of(corpus, queries, sides.copies, rows=rows, allowed=allowed, exclude_self=own)
    asked = asked_of(chosen, corpus, queries, sides)
    _demand_same_reasons(truth, asked, name)
    return Fitting(sides, asked, _queries_of(truth, queries, name), drift)


def identify_for(
    truth: GroundTruth,
    corpus: Corpus,
    queries: QuerySet,
    *,
    policies: Policies = REFUSE_ALL,
    cache: IdentityCache | None = None,
    progress: Progress = SILENT,
) -> Identities:
    """Which vectors these are, where what the truth left out as unusable is left out again, and what the ``policies``
    say."""
    geometry, policies = distance_named(truth.distance), policies_of(truth.reasons, policies)
    return identify(corpus, queries, geometry, policies=policies, cache=cache, progress=progress)


def _demand_same_reasons(truth: GroundTruth, asked: Asked, name: str) -> None:
    for reason in sorted({*truth.reasons, *asked.reasons}):
        was, is_now = (reasons.get(reason, "nothing") for reasons in (truth.reasons, asked.reasons))
        if was != is_now:
            raise StaleTruth(
                f"{name} was made of other eligible rows ({reason}: {was}; now: {is_now})",
                "give the --rows, --filter and --allowed that it was made with",
            )


def _queries_of(truth: GroundTruth, queries: QuerySet, name: str) -> Integers:
    """For each query of the truth its place in the query set."""
    of_query = rows_of(truth.query_ids, queries.ids)
    if len(np.unique(of_query)) < len(queries) or bool((of_query == NO_ROW).any()):
        raise StaleTruth(f"{name} does not hold every query exactly once", "build it anew")
    return of_query
