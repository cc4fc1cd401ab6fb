"""What is noted in a run beside what was measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from truerecall.model.drift import Drift
from truerecall.model.neighbors import Neighbors
from truerecall.model.run import Run
from truerecall.model.trials import Trials


@dataclass(frozen=True, eq=False)
class Noted:
    """The model, the drift and the neighbours of the truth as they lie now, and what is tried on every run (see
    ``steps.run``)."""

    model: str | None
    drift: Drift | None
    present: Neighbors | None
    examine: Callable[[Run], Trials | None] | None

    def on(self, run: Run) -> Run:
        """The run with the notes of now; the very run where it bears them already."""
        noted = replace(run, setup=replace(run.setup, model=self.model), drift=self.drift, present=self.present)
        if self.examine is not None:
            noted = replace(noted, trials=self.examine(noted))
        same = run.present is self.present or (run.present is not None and run.present.same(self.present))
        before = run.setup.model, run.drift, run.trials
        return run if same and before == (noted.setup.model, noted.drift, noted.trials) else noted
