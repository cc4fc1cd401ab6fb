"""From files to judged curves: what ``run`` and ``demo`` both do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from truerecall.cli.judging import judged, labels_from
from truerecall.model.curve import Curve
from truerecall.model.distance import distance_named
from truerecall.model.labels import Labels
from truerecall.model.plan import Plan
from truerecall.model.progress import Progress
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.bench import Isolation
from truerecall.steps.identify import identify
from truerecall.steps.inspected import find_or_inspect
from truerecall.steps.present import present_neighbors
from truerecall.steps.run import demand_possible, run
from truerecall.steps.staleness import demand_truth_fits
from truerecall.steps.trials import trying
from truerecall.steps.truth import find_or_build_truth
from truerecall.store.identities import IdentityCache
from truerecall.store.truths import load_truth
from truerecall.store.vectors import open_corpus, open_queries


@dataclass(frozen=True, eq=False)
class Inputs:
    """What a measurement starts from. ``truth`` is the file that the user named, None to look for one or build it."""

    corpus: Corpus
    queries: QuerySet
    labels: Labels | None
    truth: GroundTruth | None = None
    truth_file: Path | None = None
    model: str | None = None
    max_drift: float | None = None
    cache: IdentityCache | None = None

    @classmethod
    def open(
        cls,
        corpus: Path,
        queries: Path,
        *,
        ids: Path | None = None,
        query_ids: Path | None = None,
        labels: Path | None = None,
        relevant_from: float | None = None,
        truth: Path | None = None,
        model: str | None = None,
        max_drift: float | None = None,
        rehash: bool = False,
    ) -> Inputs:
        searched, asked = open_corpus(corpus, ids=ids), open_queries(queries, ids=query_ids)
        kinds = {"query_kind": asked.id_kind, "corpus_kind": searched.id_kind}
        given = labels_from(labels, query_ids=asked.ids, relevant_from=relevant_from, **kinds)
        cache = IdentityCache.of_user("renew" if rehash else "use")
        known = None if truth is None else load_truth(truth)
        return cls(searched, asked, given, known, truth, model, max_drift, cache)


def measured(
    plan: Plan,
    inputs: Inputs,
    out: Path,
    *,
    memory_bytes: int | None,
    progress: Progress,
    isolation: Isolation = "process",
) -> tuple[tuple[Curve, ...], GroundTruth]:
    """Run the plan into the folder ``out`` and judge it. Kept there too: what was said of the vectors, and the truth
    where none was given.

    The plan is looked over before the corpus is read, which may take long.
    """
    distance = distance_named(plan.distance)
    demand_possible(plan, inputs.corpus, inputs.queries, out)
    sides = identify(inputs.corpus, inputs.queries, distance, cache=inputs.cache, progress=progress)
    if inputs.truth is None or inputs.truth_file is None:
        truth, built = find_or_build_truth(
            inputs.corpus,
            inputs.queries,
            plan.distance,
            plan.k,
            out,
            identities=sides,
            model=inputs.model,
            max_drift=inputs.max_drift,
            memory_bytes=memory_bytes,
            progress=progress,
        )
    else:
        truth, built = inputs.truth, False
    subject = sides.subject(distance, inputs.model)
    drift = demand_truth_fits(
        truth,
        inputs.corpus,
        inputs.queries,
        sides,
        subject,
        max_drift=inputs.max_drift,
        name=str(inputs.truth_file or out / "truth.parquet"),
    )
    truth.demand_depth(plan.k)
    present = None if drift is None else present_neighbors(truth, inputs.corpus, inputs.queries, progress=progress)
    inspected = find_or_inspect(
        inputs.corpus, inputs.queries, subject, plan.k, out, memory_bytes=memory_bytes, progress=progress
    )
    known: dict[str, Any] = {
        "corpus_fingerprint": sides.corpus.fingerprint,
        "query_fingerprint": sides.queries.fingerprint,
        "model": inputs.model,
        "drift": drift,
        "present": present,
        "examine": trying(
            truth, inputs.corpus, inputs.queries, identities=sides, truth_is="built now" if built else "found",
            drifted=drift is not None, seed=plan.seed,
        ),  # in silence: it goes on within the measuring, whose bar would end
    }  # fmt: skip
    runs = run(plan, inputs.corpus, inputs.queries, out, **known, isolation=isolation, progress=progress)
    return judged(runs, truth, inputs.labels, plan.seed, inspected=inspected.outcomes), truth
