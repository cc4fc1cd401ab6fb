"""From files to judged curves: what ``run`` and ``demo`` both do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from truerecall.cli.judging import curves, judge, labels_from
from truerecall.model.curve import Curve
from truerecall.model.labels import Labels
from truerecall.model.plan import Plan
from truerecall.model.progress import Progress
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet


@dataclass(frozen=True, eq=False)
class Inputs:
    """What a measurement starts from."""

    corpus: Corpus
    queries: QuerySet
    labels: Labels | None

    @classmethod
    def open(
        cls, corpus: Path, queries: Path, *, ids: Path | None, query_ids: Path | None, labels: Path | None
    ) -> Inputs:
        from truerecall.store.vectors import open_corpus, open_queries

        searched, asked = open_corpus(corpus, ids=ids), open_queries(queries, ids=query_ids)
        given = labels_from(labels, query_kind=asked.id_kind, corpus_kind=searched.id_kind)
        return cls(searched, asked, given)

    def truth(
        self, plan: Plan, out: Path, *, given: Path | None, memory_bytes: int | None, progress: Progress
    ) -> GroundTruth:
        """The given truth where it fits these vectors, else one that lies in ``out``, else a new one."""
        from truerecall.model.distance import distance_named
        from truerecall.steps.truth import demand_current, find_or_build_truth, identify
        from truerecall.store.truths import load_truth

        identities = identify(self.corpus, self.queries, distance_named(plan.distance), progress=progress)
        if given is None:
            return find_or_build_truth(
                self.corpus,
                self.queries,
                plan.distance,
                plan.k,
                out,
                identities=identities,
                memory_bytes=memory_bytes,
                progress=progress,
            )
        truth = load_truth(given)
        demand_current(truth, identities, plan.distance, given)
        truth.demand_depth(plan.k)
        return truth


def measured(plan: Plan, inputs: Inputs, truth: GroundTruth, out: Path, *, progress: Progress) -> tuple[Curve, ...]:
    """Run the plan over the inputs and judge every point."""
    from truerecall.steps.run import run

    runs = run(
        plan,
        inputs.corpus,
        inputs.queries,
        out,
        corpus_fingerprint=truth.corpus,
        query_fingerprint=truth.queries,
        progress=progress,
    )
    return curves(judge(runs, truth, inputs.labels, plan.seed))
