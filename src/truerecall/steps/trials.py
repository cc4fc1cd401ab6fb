"""What is tried on a run while the vectors are at hand: does the truth hold, and do the answers fit something else?

What it costs: where the truth was not built from these vectors just now, 20 of its queries are recomputed, once for all
runs. Where a pass falls short, its lists are tried under other ids and queries, some hundredths of a second, and 16 of
its queries under other distances, whose neighbours are found once for all runs; both look at every row in float64.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from truerecall.model.arrays import Booleans, Ids
from truerecall.model.eligibility import FILTER
from truerecall.model.progress import SILENT, Progress
from truerecall.model.returned import Returned
from truerecall.model.run import Run
from truerecall.model.trials import Trials, TruthSample
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.choice import ALLOWED
from truerecall.steps.elsewhere import Elsewhere, nearest_elsewhere, spread_over
from truerecall.steps.fitting import fitting_of
from truerecall.steps.identify import Identities
from truerecall.steps.rivals import rivals
from truerecall.steps.verify import verify_truth
from truerecall.store.truths import content_digest

SAMPLE = 20
"""How many queries of a truth are recomputed."""


def trying(
    truth: GroundTruth,
    corpus: Corpus,
    queries: QuerySet,
    *,
    identities: Identities,
    truth_is: Literal["built now", "found"],
    rows: Booleans | None = None,
    drifted: bool = False,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Callable[[Run], Trials | None]:
    """What tries a run against this truth; it looks at the first pass of each point, and has None for the others. What
    a run was tried with before stands, where it was this truth.

    ``rows``: those that may answer by the filter of the truth, where it has one and they are known. ``drifted``:
    whether the corpus is not that of the truth any more, which the user allowed. Then, and where the truth left rows
    out by a choice that it does not tell, nothing is recomputed.
    """
    return _Trying(truth, corpus, queries, identities, truth_is == "built now", rows, drifted, seed, progress).trials


@dataclass(frozen=True, eq=False)
class _Trying:
    truth: GroundTruth
    corpus: Corpus
    queries: QuerySet
    identities: Identities
    built_now: bool
    rows: Booleans | None
    drifted: bool
    seed: int
    progress: Progress

    def trials(self, run: Run) -> Trials | None:
        if run.setup.repeat > 0:
            return None
        if run.trials is not None and run.trials.truth == self.digest:
            return run.trials
        found = rivals(
            returned_of(run), self.truth, run.setup.k, corpus_ids=self.corpus.ids,
            elsewhere=self.elsewhere if self.recomputable else None,
        )  # fmt: skip
        return Trials(self.digest, found, self.truth_sample)

    @property
    def digest(self) -> str:
        return content_digest(self.truth)

    @property
    def recomputable(self) -> bool:
        untold = {ALLOWED} if self.rows is not None else {FILTER, ALLOWED}
        return not self.drifted and not untold & set(self.truth.reasons)

    @cached_property
    def truth_sample(self) -> TruthSample | None:
        if self.built_now or not self.recomputable:
            return None
        found, _ = verify_truth(
            self.truth, self.corpus, self.queries, rows=self.rows, identities=self.identities, sample=SAMPLE,
            seed=self.seed, progress=self.progress,
        )  # fmt: skip
        first = "" if found.first is None else found.first.message
        return TruthSample(found.checked, found.agreed, first, found.cause or "")

    def elsewhere(self, query_ids: Ids) -> Elsewhere:
        """Of queries that hang on no run, so that they are looked at once."""
        return self._elsewhere

    @cached_property
    def _elsewhere(self) -> Elsewhere:
        fitting = fitting_of(self.truth, self.corpus, self.queries, rows=self.rows, identities=self.identities)
        picked = spread_over(self.truth.query_ids, self.corpus)
        return nearest_elsewhere(picked, self.truth.k, self.truth.distance, self.corpus, self.queries, fitting)


def returned_of(run: Run) -> Returned:
    """The answers of a run as those of any system."""
    places = len(run.neighbors.ids)
    return Returned(
        name=run.setup.built,
        query_ids=run.query_ids,
        failures=run.failures,
        neighbors=run.neighbors,
        holes=np.zeros(places, np.bool_),
        known=np.ones(places, np.bool_),
        strange=np.zeros(places, np.bool_),
        reported=None,
        lists=len(run),
        unknown_queries=0,
        padding=0,
        by_position=False,
        nearer="unsaid",
        remarks=(),
    )
