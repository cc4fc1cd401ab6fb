"""Verify a truth: recompute a sample of its queries, or all, by an implementation that shares no code with the first.

Identity comes first: a truth of other vectors is refused before anything is computed. Then each list is held against a
second look at every row (scan/second_look.py).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from truerecall.errors import InputError, StaleTruth
from truerecall.model.arrays import Booleans, Integers
from truerecall.model.distance import distance_named
from truerecall.model.eligibility import RowLists
from truerecall.model.ids import NO_ROW, rows_of
from truerecall.model.progress import SILENT, Progress
from truerecall.model.truth import APPROXIMATE, NOT_COUNTED, PROVED, SAMPLED, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.model.verification import Verification
from truerecall.scan.question import Look
from truerecall.steps.choice import eligibility_of, own_exclusion
from truerecall.steps.eligible import Asked, asked_of, eligible_copies
from truerecall.steps.identify import Identities, identify
from truerecall.steps.likely_cause import likely_cause
from truerecall.steps.recompute import recomputed
from truerecall.steps.staleness import demand_truth_fits
from truerecall.steps.unusable import policies_of
from truerecall.store.identities import IdentityCache

SAMPLE = 50
ROUNDING = "4 (d + 8) 2^-53 times the distance (ip: times the sum of absolute products; cosine: times one)"
"""What two float64 summations of d terms may differ by."""


def verify_truth(
    truth: GroundTruth,
    corpus: Corpus,
    queries: QuerySet,
    *,
    rows: Booleans | None = None,
    allowed: RowLists | None = None,
    identities: Identities | None = None,
    model: str | None = None,
    sample: int | None = SAMPLE,
    seed: int = 0,
    name: str = "the truth",
    progress: Progress = SILENT,
) -> tuple[Verification, GroundTruth]:
    """What was found, and the truth as it stands after that: in its new state where everything agrees.

    ``rows`` and ``allowed``: what the truth was made with; the rest of its reasons tell themselves. ``identities`` of
    the vectors, where they are known already; ``model``: what they are said to be embedded by. ``sample`` queries
    are drawn by ``seed``, all are looked at where it is None. Raises StaleTruth where the truth is about other vectors
    or left out other rows.
    """
    if sample is not None and sample < 1:
        raise InputError(f"the sample is {sample}", "look at one query at least")
    sides = identities or identify_for(truth, corpus, queries, progress=progress)
    subject = sides.subject(distance_named(truth.distance), model)
    demand_truth_fits(truth, corpus, queries, sides, subject, name=name)
    own = own_exclusion(truth.reasons)
    chosen = eligibility_of(corpus, queries, sides.copies, rows=rows, allowed=allowed, exclude_self=own)
    asked = asked_of(chosen, corpus, queries, sides)
    _demand_same_reasons(truth, asked, name)
    of_query = _queries_of(truth, queries, name)

    n = len(truth)
    every = sample is None or sample >= n
    picked = np.arange(n) if every else np.sort(np.random.default_rng(seed).choice(n, sample, replace=False))
    places = rows_of(of_query[picked], asked.places)
    vectors = queries.vectors[of_query[picked]]
    checked, trial = recomputed(truth, picked, corpus, vectors, places, asked, progress)
    wrong = checked.wrong
    state = truth.state if wrong else _state_after(truth.state, every=every)
    verification = Verification(
        queries=n,
        checked=len(picked),
        agreed=len(picked) - len(wrong),
        seed=None if every else seed,
        tolerance=ROUNDING,
        largest_difference=checked.largest_difference,
        state=state,
        first=checked.faults[wrong[0]] if wrong else None,
        cause=None if trial is None else likely_cause(trial),
    )
    if wrong:
        return verification, truth
    if state == PROVED != truth.state:
        copies = eligible_copies(sides.copies, asked, n)[of_query]
        truth = _counted(truth, checked.seen, copies)
    return verification, replace(truth, state=state, provenance=_provenance(truth, verification))


def identify_for(
    truth: GroundTruth,
    corpus: Corpus,
    queries: QuerySet,
    *,
    cache: IdentityCache | None = None,
    progress: Progress = SILENT,
) -> Identities:
    """Which vectors these are, where what the truth left out as unusable is left out again."""
    geometry, policies = distance_named(truth.distance), policies_of(truth.reasons)
    return identify(corpus, queries, geometry, policies=policies, cache=cache, progress=progress)


def _state_after(state: str, *, every: bool) -> str:
    """The state of a truth that agreed. A sample cannot make a truth of an index's answers, nor unmake a proof."""
    if every:
        return PROVED
    return state if state in (PROVED, APPROXIMATE) else SAMPLED


def _counted(truth: GroundTruth, seen: list[Look], copies: Integers) -> GroundTruth:
    """The truth with counts for every query for which nobody had counted."""
    nearer = np.array([one.nearer[0] for one in seen], np.int64)
    tied = np.array([one.tied[1] for one in seen], np.int64)
    return replace(
        truth,
        nearer=np.where(truth.nearer == NOT_COUNTED, nearer, truth.nearer),
        tied=np.where(truth.tied == NOT_COUNTED, tied, truth.tied),
        copies=np.where(truth.copies == NOT_COUNTED, copies, truth.copies),
    )


def _demand_same_reasons(truth: GroundTruth, asked: Asked, name: str) -> None:
    for reason in sorted({*truth.reasons, *asked.reasons}):
        was, is_now = (reasons.get(reason, "nothing") for reasons in (truth.reasons, asked.reasons))
        if was != is_now:
            raise StaleTruth(
                f"{name} was made of other eligible rows ({reason}: {was}; now: {is_now})",
                "give the --rows and --allowed that it was made with",
            )


def _queries_of(truth: GroundTruth, queries: QuerySet, name: str) -> Integers:
    """For each query of the truth its place in the query set."""
    of_query = rows_of(truth.query_ids, queries.ids)
    if len(np.unique(of_query)) < len(queries) or bool((of_query == NO_ROW).any()):
        raise StaleTruth(f"{name} does not hold every query exactly once", "build it anew")
    return of_query


def _provenance(truth: GroundTruth, verification: Verification) -> dict[str, object]:
    verified = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "method": "second opinion, direct float64",
        "queries": verification.checked,
        "of": verification.queries,
        "seed": verification.seed,
        "bound": verification.bound,
        "state_before": truth.state,
    }
    return {**truth.provenance, "verified": verified}
