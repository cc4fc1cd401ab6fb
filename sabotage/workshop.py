"""Where lies and their honest twins are made: real vectors, real engines, and the steps that any user goes through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from truerecall.cli.demo import WORDNET
from truerecall.model.arrays import Vectors
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding
from truerecall.model.plan import EnginePlan, Plan
from truerecall.model.run import Run
from truerecall.model.source import ArraySource
from truerecall.model.truth import GroundTruth
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.shelf import engines
from truerecall.steps.measurement import Inputs, measure
from truerecall.steps.truth import build_truth

GRAPH = EnginePlan("faiss", {"factory": "HNSW16"}, {"efSearch": (16, 32, 64)})
"""What is measured where a lie is about something else."""
K = 10


@dataclass(eq=False)
class Workshop:
    """``rows`` and ``queries``: how many of the bundled definitions are used."""

    folder: Path
    rows: int
    queries: int
    _names: Any = field(default_factory=count, init=False)

    def __post_init__(self) -> None:
        random = np.random.default_rng(7)
        rows, asked = np.load(WORDNET / "corpus.npy"), np.load(WORDNET / "queries.npy")
        self.x: Vectors = rows[np.sort(random.choice(len(rows), self.rows, replace=False))].astype(np.float32)
        self.q: Vectors = asked[np.sort(random.choice(len(asked), self.queries, replace=False))].astype(np.float32)

    @property
    def corpus(self) -> Corpus:
        return Corpus(ArraySource(self.x, "definitions"))

    @property
    def asked(self) -> QuerySet:
        return QuerySet(self.q)

    def truth(
        self, *, corpus: Corpus | None = None, queries: QuerySet | None = None, distance: str = "l2"
    ) -> GroundTruth:
        return build_truth(corpus or self.corpus, queries or self.asked, distance, K)

    def curves(
        self,
        *own: EnginePlan,
        liar: Any = None,
        corpus: Corpus | None = None,
        queries: QuerySet | None = None,
        truth: GroundTruth | None = None,
        model: str | None = None,
        distance: str = "l2",
        **changes: Any,
    ) -> tuple[Curve, ...]:
        """What ``run`` gives. ``liar``: stands in for FAISS, in this process. ``changes``: fields of the Plan."""
        plan = replace(Plan(own or (GRAPH,), distance, K, warmup_calls=50), **changes)
        inputs = Inputs(corpus or self.corpus, queries or self.asked, truth=truth, model=model)
        with nullcontext() if liar is None else engines.lend("faiss", liar):
            made, _ = measure(
                plan, inputs, self.folder / str(next(self._names)), isolation="process" if liar is None else "none"
            )
        return made

    def findings(self, *own: EnginePlan, **how: Any) -> list[Finding]:
        """What the checks say of all points of a run."""
        return findings_of(self.curves(*own, **how))

    def runs(self, *own: EnginePlan, **how: Any) -> list[Run]:
        """All passes of a run, to be compared."""
        return [run for curve in self.curves(*own, **how) for point in curve.points for run in point.runs]


def findings_of(curves: Sequence[Curve]) -> list[Finding]:
    return [finding for curve in curves for point in curve.points for finding in point.findings]


def changed(plan: EnginePlan, **settings: Any) -> EnginePlan:
    """The plan with other fixed settings, or other values of what it varies."""
    varied: Mapping[str, Any] = {name: value for name, value in settings.items() if isinstance(value, tuple)}
    fixed = {name: value for name, value in settings.items() if name not in varied}
    return replace(plan, fixed={**plan.fixed, **fixed}, varied={**plan.varied, **varied})
