"""What a whole measurement says of each setting: vectors in, truth, run and checks, findings out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from truerecall import shelf
from truerecall.model.engine import Settings, Value
from truerecall.model.finding import Finding
from truerecall.model.plan import EnginePlan, Plan
from truerecall.model.run import Run
from truerecall.model.source import ArraySource
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.measurement import Inputs, measure

ROWS, DIMENSIONS = 2000, 32
X = np.random.default_rng(1).normal(size=(ROWS, DIMENSIONS)).astype(np.float32)
Q = np.random.default_rng(2).normal(size=(60, DIMENSIONS)).astype(np.float32)


@dataclass(frozen=True)
class Told:
    """Of one setting: recall@k, None where no number is shown, the findings by their codes, and the first pass."""

    recall: float | None
    findings: Mapping[str, Finding]
    run: Run

    def severity(self, code: str) -> str:
        """Of a finding; empty where it was not made."""
        return self.findings[code].severity if code in self.findings else ""


def told(
    out: Path,
    engine: str,
    *,
    rows: Any = X,
    ids: Any = None,
    queries: Any = Q,
    distance: str = "l2",
    k: int = 10,
    fixed: Settings | None = None,
    varied: Mapping[str, Sequence[Value]] | None = None,
    attach: str = "",
) -> list[Told]:
    """One for each setting, in the order of the values that are varied."""
    assert shelf.engines.get(engine).version() is not None, f"{engine} is not installed"
    grid = {name: tuple(values) for name, values in (varied or {}).items()}
    own = EnginePlan(engine, fixed or {}, grid, attach)
    plan = Plan((own,), distance, k, repeats=1, warmup_calls=20)
    corpus = Corpus(ArraySource(rows), None if ids is None else np.asarray(ids))
    curves, _ = measure(plan, Inputs(corpus, QuerySet(queries)), out, isolation="none")
    points = [point for curve in curves for point in curve.points]
    order = [list(values) for values in grid.values()]

    def place(point: Any) -> list[int]:
        settings = {**point.run.setup.build.settings, **point.run.setup.asked}
        return [values.index(settings[name]) for name, values in zip(grid, order, strict=True)]

    return [_of(point, k) for point in sorted(points, key=place)]


def _of(point: Any, k: int) -> Told:
    score = point.score(f"recall@{k}")
    found = {outcome.finding.code: outcome.finding for outcome in point.checks if outcome.finding is not None}
    return Told(None if score is None else score.mean, found, point.run)
