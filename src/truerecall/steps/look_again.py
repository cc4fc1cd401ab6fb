"""Look at stored runs with the vectors at hand: what needs them is tried again, and nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from truerecall.model.distance import distance_named
from truerecall.model.finding import CheckOutcome
from truerecall.model.progress import SILENT, Progress
from truerecall.model.run import Run
from truerecall.model.subject import demand_truth_about
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.fitting import identify_for
from truerecall.steps.inspected import inspected
from truerecall.steps.judge import WHOLE
from truerecall.steps.trials import trying
from truerecall.store.identities import IdentityCache


def look_again(
    runs: Sequence[Run],
    truth: GroundTruth,
    corpus: Corpus,
    queries: QuerySet,
    *,
    behind: Mapping[str, GroundTruth] = WHOLE,
    cache: IdentityCache | None = None,
    memory_bytes: int | None = None,
    seed: int = 0,
    progress: Progress = SILENT,
) -> tuple[tuple[Run, ...], tuple[CheckOutcome, ...]]:
    """The runs with what was tried on them, and what was said of the vectors. ``behind``: as in ``judge``.

    Raises StaleTruth where these are not the vectors that were measured.
    """
    setup = runs[0].setup
    sides = identify_for(truth, corpus, queries, cache=cache, progress=progress)
    subject = sides.subject(distance_named(setup.distance))
    remedy = "give the vectors that were measured"
    demand_truth_about(setup.subject, subject, name="what was measured", remedy=remedy)
    drifted = setup.subject.corpus != truth.subject.corpus
    trials = {
        told: trying(
            own, corpus, queries, identities=sides, truth_is="found", drifted=drifted, seed=seed, progress=progress
        )
        for told, own in {"": truth, **behind}.items()
    }
    tried = tuple(replace(run, trials=trials[run.setup.told](replace(run, trials=None))) for run in runs)
    return tried, inspected(corpus, queries, subject, setup.k, memory_bytes=memory_bytes, progress=progress).outcomes
