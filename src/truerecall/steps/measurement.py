"""The whole measurement, from vectors to judged curves: what every verb that measures does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from truerecall.errors import EngineFailed, InputError
from truerecall.model.curve import Curve
from truerecall.model.distance import distance_named
from truerecall.model.labels import Labels
from truerecall.model.plan import Plan
from truerecall.model.progress import SILENT, Progress
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.bench import Isolation
from truerecall.steps.identify import identify
from truerecall.steps.inspected import find_or_inspect
from truerecall.steps.judge import judge_as_usual
from truerecall.steps.narrow import narrowed, truth_file
from truerecall.steps.present import present_neighbors
from truerecall.steps.run import demand_plan_possible, run
from truerecall.steps.staleness import demand_truth_fits
from truerecall.steps.trials import trying
from truerecall.steps.truth import find_or_build_truth
from truerecall.store.identities import IdentityCache


@dataclass(frozen=True, eq=False)
class Inputs:
    """What a measurement starts from.

    ``truth``: None to look for one beside the runs, or build it; ``truth_name``: what the given one is called.
    ``model``: what embedded both sides; ``max_drift``: the largest share of rows that may differ from those of the
    truth; ``cache``: what was found in the files of the corpus before.
    """

    corpus: Corpus
    queries: QuerySet
    labels: Labels | None = None
    truth: GroundTruth | None = None
    truth_name: str = "the truth"
    model: str | None = None
    max_drift: float | None = None
    cache: IdentityCache | None = None


def measure(
    plan: Plan,
    inputs: Inputs,
    out: Path | str,
    *,
    memory_bytes: int | None = None,
    progress: Progress = SILENT,
    isolation: Isolation = "process",
    on_left: Callable[[str, EngineFailed], None] = lambda built, error: None,
) -> tuple[tuple[Curve, ...], GroundTruth]:
    """Run the plan into the folder ``out`` and judge it. Kept there too: what was said of the vectors, and the truth
    where none was given. ``isolation`` and ``on_left`` as in ``run``.

    The plan is looked over before the corpus is read, which may take long. Raises as ``run``, ``find_or_build_truth``
    and ``judge`` do; StaleTruth where the truth is of something else.
    """
    out, corpus, queries = Path(out), inputs.corpus, inputs.queries
    distance = distance_named(plan.distance)
    demand_plan_possible(plan, corpus, queries, out)
    narrows = narrowed(plan.filters, corpus, seed=plan.seed)
    sides = identify(corpus, queries, distance, cache=inputs.cache, progress=progress)
    truth, truth_name, built = inputs.truth, inputs.truth_name, False
    if truth is None:
        truth_name = str(out / "truth.parquet")
        truth, built = find_or_build_truth(
            corpus,
            queries,
            plan.distance,
            plan.k,
            out,
            identities=sides,
            model=inputs.model,
            max_drift=inputs.max_drift,
            memory_bytes=memory_bytes,
            progress=progress,
        )
    subject = sides.subject(distance, inputs.model)
    drift = demand_truth_fits(truth, corpus, queries, sides, subject, max_drift=inputs.max_drift, name=truth_name)
    truth.demand_depth(plan.k)
    if narrows.each and drift is not None:
        raise InputError("the corpus has drifted from the truth, and filters need one of now", "refresh the truth")
    present = None if drift is None else present_neighbors(truth, corpus, queries, progress=progress)
    inspected = find_or_inspect(corpus, queries, subject, plan.k, out, memory_bytes=memory_bytes, progress=progress)
    examining = {
        "": trying(
            truth, corpus, queries, identities=sides, truth_is="built now" if built else "found",
            drifted=drift is not None, seed=plan.seed,
        )  # in silence: it goes on within the measuring, whose bar would end
    }  # fmt: skip
    behind = {}
    for own in narrows.each:
        told = own.narrowed.told
        behind[told], built = find_or_build_truth(
            corpus, queries, plan.distance, plan.k, out, identities=sides, eligibility=own.eligibility,
            file=truth_file(own.narrowed), model=inputs.model, memory_bytes=memory_bytes, progress=progress,
        )  # fmt: skip
        examining[told] = trying(
            behind[told], corpus, queries, identities=sides, truth_is="built now" if built else "found", rows=own.rows,
            seed=plan.seed,
        )  # fmt: skip
    runs = run(
        plan,
        corpus,
        queries,
        out,
        corpus_fingerprint=sides.corpus.fingerprint,
        query_fingerprint=sides.queries.fingerprint,
        model=inputs.model,
        drift=drift,
        present=present,
        examine=lambda run: examining[run.setup.told](run),
        narrows=narrows,
        on_left=on_left,
        isolation=isolation,
        progress=progress,
    )
    curves = judge_as_usual(
        runs, truth, labels=inputs.labels, seed=plan.seed, inspected=inspected.outcomes, behind=behind
    )
    return curves, truth
