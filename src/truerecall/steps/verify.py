"""Verify a truth: recompute a sample of its queries, or all, by an implementation that shares no code with the first.

Identity comes first: a truth of other vectors is refused before anything is computed. Then each list is held against a
second look at every row (scan/second_look.py).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from truerecall.errors import InputError
from truerecall.model.arrays import Booleans, Integers
from truerecall.model.eligibility import RowLists
from truerecall.model.ids import rows_of
from truerecall.model.progress import SILENT, Progress
from truerecall.model.truth import APPROXIMATE, NOT_COUNTED, PROVED, SAMPLED, GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.model.verification import Verification
from truerecall.scan.question import Look
from truerecall.steps.eligible import eligible_copies
from truerecall.steps.fitting import fitting_of
from truerecall.steps.identify import Identities
from truerecall.steps.likely_cause import likely_cause
from truerecall.steps.recompute import recomputed

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
    fitting = fitting_of(
        truth, corpus, queries, rows=rows, allowed=allowed, identities=identities, model=model, name=name,
        progress=progress,
    )  # fmt: skip
    asked, of_query = fitting.asked, fitting.of_query

    n = len(truth)
    picked = drawn_queries(n, sample, seed)
    every = len(picked) == n
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
        copies = eligible_copies(fitting.sides.copies, asked, n)[of_query]
        truth = _counted(truth, checked.seen, copies)
    return verification, replace(truth, state=state, provenance=_provenance(truth, verification))


def drawn_queries(n: int, sample: int | None, seed: int) -> Integers:
    """The places of so many of ``n`` queries, ascending; of all where ``sample`` is None or no smaller."""
    if sample is None or sample >= n:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, sample, replace=False))


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
