"""The passes of a plan, one after another in rounds; what came back becomes a run and is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from truerecall.errors import EngineFailed
from truerecall.model.neighbors import Neighbors
from truerecall.model.plan import OnFailure, Plan
from truerecall.model.progress import Progress
from truerecall.model.run import Build, Run, Setup
from truerecall.model.vectors import Corpus, Fingerprint, QuerySet
from truerecall.steps.answers import named_neighbors, true_neighbors, unknown_ids, without_ineligible
from truerecall.steps.bench import Measured
from truerecall.steps.noted import Noted
from truerecall.steps.rounds import query_order, rounds
from truerecall.steps.site import Plot, Site
from truerecall.steps.sweep import PointPlan
from truerecall.steps.task import Task
from truerecall.store.in_use import only_one_in
from truerecall.store.runs import load_run, save_run


@dataclass(frozen=True, eq=False)
class Sides:
    """What is searched and what is asked, with their fingerprints."""

    corpus: Corpus
    queries: QuerySet
    corpus_print: Fingerprint
    query_print: Fingerprint


@dataclass(eq=False)
class _Left:
    """Builds whose engine failed as a whole, by their key, with what it said; how many passes came of all others."""

    on_failure: OnFailure
    progress: Progress
    heard: Callable[[str, EngineFailed], None]
    errors: dict[str, EngineFailed] = field(default_factory=dict)
    measured: int = 0

    def leave(self, plot: Plot, error: EngineFailed) -> None:
        """Raises the error where the plan says so."""
        if self.on_failure == "stop":
            raise error
        self.errors[plot.plan.key] = error
        self.heard(plot.plan.words, error)
        self.progress.say(f"{plot.plan.words} is left, and the others go on: {error}")

    def demand_some(self) -> None:
        """Raises the first error where no pass was measured at all."""
        if self.errors and not self.measured:
            raise next(iter(self.errors.values()))


@dataclass(frozen=True, eq=False)
class Measuring:
    """A plan under way; its Run files lie in ``out``."""

    plan: Plan
    sides: Sides
    site: Site
    out: Path
    noted: Noted
    progress: Progress
    on_left: Callable[[str, EngineFailed], None]

    def runs(self) -> Iterator[Run]:
        """Every pass once, round after round, each as soon as it is known.

        Raises InputError where another process is measuring into the same folder.
        """
        with only_one_in(self.site.journal.folder):
            yield from self._passes()

    def _passes(self) -> Iterator[Run]:
        plots, left = self.site.plots, _Left(self.plan.on_failure, self.progress, self.on_left)
        passes = sum(len(plot.plan.points) for plot in plots) * self.plan.repeats
        self.progress.start("measure", passes * len(self.sides.queries), "queries")
        try:
            for visit in rounds([len(plot.plan.points) for plot in plots], self.plan.repeats, self.plan.seed):
                plot = plots[visit.build]
                for place in visit.points:
                    if plot.plan.key in left.errors:
                        self.progress.advance(len(self.sides.queries))
                        continue
                    try:
                        if plot.build is None:
                            self.site.look_at(plot)
                        run = self._pass(plot, plot.plan.points[place], visit.repeat)
                    except EngineFailed as error:
                        left.leave(plot, error)
                        self.site.let_go(plot)
                        self.progress.advance(len(self.sides.queries))
                        continue
                    left.measured += 1
                    yield run
                if plot.finished:
                    self.site.leave(plot)
            left.demand_some()
        finally:
            self.site.close()

    def _pass(self, plot: Plot, point: PointPlan, repeat: int) -> Run:
        """The run of one pass, loaded or measured."""
        file = point.files[repeat]
        if file in plot.done:
            run = load_run(self.out / file)
            self.progress.advance(len(run))
        else:
            run = self._measured(plot, point, repeat)
        noted = self.noted.on(run)
        if noted is not run or file not in plot.done:
            save_run(noted, self.out / file)
            plot.done.add(file)
        return noted

    def _measured(self, plot: Plot, point: PointPlan, repeat: int) -> Run:
        plan, site = self.plan, self.site
        bench = site.bench(plot)
        words = " ".join(f"{name}={value}" for name, value in point.search.items()) or "the defaults"
        behind = "" if point.behind is None else f", where {point.behind.narrowed.text}"
        said = f"measure {site.called(plot)}, {words}, {point.mode}{behind}, pass {repeat + 1} of {plan.repeats}"
        self.progress.now(said, site.time_left.seconds)
        order = query_order(len(self.sides.queries), plan.seed, repeat)
        where = None if point.behind is None else point.behind.where
        task = Task(point.search, point.mode, plan.k, plan.warmup_calls, order, where)
        with site.time_left.doing("pass"):
            measured = bench.measure(task, self.progress)
            if plot.build is None:
                raise ValueError("a pass was measured before its build was looked at")
            setup = self._setup(plot, plot.build, point, repeat, measured)
            run = self._run(plot, point, setup, measured)
        if measured.lost:
            raise self._broken_off(run, self.out / f"{point.files[repeat]}.broken-off", measured.lost)
        return run

    def _broken_off(self, run: Run, aside: Path, said: str) -> EngineFailed:
        """The engine went away: what came of the pass is kept beside the runs, and is none of them."""
        save_run(run, aside)
        failed = int((run.failures != "").sum())
        problem = f"{run.setup.engine} answers no more ({said}): {failed} of {len(run)} queries of this pass failed"
        return EngineFailed(
            problem, f"what was measured before is kept, and this pass as {aside.name}; start again to go on"
        )

    def _setup(self, plot: Plot, build: Build, point: PointPlan, repeat: int, measured: Measured) -> Setup:
        own = plot.plan
        return Setup(
            engine=own.engine.name,
            engine_version=str(own.engine.version()),
            distance=self.plan.distance,
            k=self.plan.k,
            corpus=self.sides.corpus_print,
            queries=self.sides.query_print,
            build=build,
            asked=point.search,
            in_force=measured.in_force,
            warmup_calls=measured.asked.warmup_calls,
            state=measured.state,
            mode=point.mode,
            repeat=repeat,
            effort=own.effort,
            limiting=own.limiting,
            where=None if point.behind is None else point.behind.narrowed,
        )

    def _run(self, plot: Plot, point: PointPlan, setup: Setup, measured: Measured) -> Run:
        """The pass with true distances, its rows under the ids of the corpus."""
        asked, neighbors, ineligible = measured.asked, self._neighbors(plot, measured), 0
        if point.behind is not None:
            neighbors, ineligible = without_ineligible(neighbors, self.sides.corpus, point.behind.rows)
        named = measured.answers == "ids"
        return Run(
            setup=setup,
            query_ids=self.sides.queries.ids,
            neighbors=neighbors,
            latency_s=asked.latency_s,
            failures=asked.failures,
            cost=asked.cost,
            environment=measured.environment,
            call=asked.call,
            wall_s=asked.wall_s,
            harness_s=asked.harness_s,
            by_formula=asked.by_formula,
            ineligible=ineligible,
            unknown=unknown_ids(neighbors, self.sides.corpus) if named else 0,
        )

    def _neighbors(self, plot: Plot, measured: Measured) -> Neighbors:
        corpus, queries, distance = self.sides.corpus, self.sides.queries, self.plan.distance
        answers = measured.asked.rows
        if measured.answers == "ids":
            return named_neighbors(answers, corpus, queries, distance)
        rows = [np.asarray(own) for own in answers]
        if plot.permuted is not None:
            rows = [plot.permuted.original(own) for own in rows]
        return true_neighbors(rows, corpus, queries, distance)
