"""Build, sweep, measure: one Run file per point, written as soon as the point is done.

A sweep that was interrupted goes on at the first point that is missing. All points of a curve share one build: the
saved index is used again, and where it is gone the index is built anew and the points stand only if its bytes are the
same; otherwise that build's sweep starts over.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from truerecall import machine, shelf
from truerecall.errors import InputError
from truerecall.model.distance import distance_named
from truerecall.model.drift import Drift
from truerecall.model.engine import Engine, Index, Place, Settings
from truerecall.model.neighbors import Neighbors
from truerecall.model.plan import Plan
from truerecall.model.progress import SILENT, Progress
from truerecall.model.run import Build, Run, Setup
from truerecall.model.vectors import Corpus, Fingerprint, QuerySet, demand_fit
from truerecall.steps.answers import true_neighbors
from truerecall.steps.measure import ask_every_query
from truerecall.steps.sweep import BuildPlan, builds_of, checked_grid
from truerecall.store.journal import Journal
from truerecall.store.places import demand_folder_place
from truerecall.store.runs import load_run, save_run


def run(
    plan: Plan,
    corpus: Corpus,
    queries: QuerySet,
    out: Path | str,
    *,
    corpus_fingerprint: Fingerprint,
    query_fingerprint: Fingerprint,
    model: str | None = None,
    drift: Drift | None = None,
    present: Neighbors | None = None,
    progress: Progress = SILENT,
) -> Iterator[Run]:
    """The runs of the plan's grid, build by build; a point that lies in ``out`` already is loaded.

    ``model``: what embedded both sides; ``drift``: how the corpus differs from that of the truth that the runs will be
    judged by; ``present``: the neighbours of that truth, in the order of ``queries``, at their distances in this
    corpus. All are noted in every run.

    Raises InputError for anything in the plan that cannot be, before the first index is built. While the sweep is
    unfinished the built indexes lie in ``OUT.part``.
    """
    out = Path(out).resolve()
    plan = replace(plan, distance=distance_named(plan.distance).name)
    demand_folder_place(out)
    demand_fit(corpus, queries, plan.k)
    journal = Journal(out.with_name(out.name + ".part"))
    sweeps = []
    for own in plan.engines:
        engine: Engine = shelf.engines.get(own.engine)
        prints = {"corpus_fingerprint": corpus_fingerprint, "query_fingerprint": query_fingerprint}
        builds = builds_of(plan, own, engine, corpus, **prints)
        sweep = _Sweep(
            plan,
            engine,
            corpus,
            queries,
            corpus_fingerprint,
            query_fingerprint,
            out,
            journal,
            progress,
            model,
            drift,
            present,
        )
        sweeps.append(sweep.runs(builds))
    return chain.from_iterable(sweeps)


def demand_possible(plan: Plan, corpus: Corpus, queries: QuerySet, out: Path) -> None:
    """Raises InputError for anything in the plan that ``run`` would refuse. Reads nothing of the vectors."""
    demand_folder_place(out)
    demand_fit(corpus, queries, plan.k)
    for own in plan.engines:
        checked_grid(plan, own, shelf.engines.get(own.engine), corpus.source.dimensions)


@dataclass(frozen=True, eq=False)
class _Sweep:
    plan: Plan
    engine: Engine
    corpus: Corpus
    queries: QuerySet
    corpus_fingerprint: Fingerprint
    query_fingerprint: Fingerprint
    out: Path
    journal: Journal
    progress: Progress
    model: str | None
    drift: Drift | None
    present: Neighbors | None

    def runs(self, builds: list[BuildPlan]) -> Iterator[Run]:
        for build_plan in builds:
            yield from self.points(build_plan)
            self.journal.forget(build_plan.key)

    def points(self, build_plan: BuildPlan) -> Iterator[Run]:
        """The points of one build, in order."""
        done = self._done(build_plan)
        complete = len(done) == len(build_plan.points) and len({r.setup.build.id for r in done.values()}) == 1
        if complete:
            yield from (self._noted(done[name], name) for name in build_plan.points)
            return
        index, build = self._index(build_plan)
        try:
            for name, run in done.items():
                if run.setup.build.id != build.id:
                    (self.out / name).unlink()
                else:
                    build = run.setup.build  # built anew, but the same: its points keep one record
            for name, search in build_plan.points.items():
                if name in done and done[name].setup.build.id == build.id:
                    yield self._noted(done[name], name)
                    continue
                measured = self._measure(index, build, search)
                save_run(measured, self.out / name)
                yield measured
        finally:
            index.close()

    def _done(self, build_plan: BuildPlan) -> dict[str, Run]:
        found = {}
        for name in build_plan.points:
            path = self.out / name
            try:
                if path.exists():
                    found[name] = load_run(path)
            except InputError as error:
                aside = path.replace(path.with_name(f"{name}.damaged"))
                self.progress.say(f"{error.problem}: it is kept as {aside.name} and measured again")
        return found

    def _noted(self, run: Run, name: str) -> Run:
        """The run with the model, the drift and the neighbours of now, which are no part of what was measured."""
        noted = replace(run, setup=replace(run.setup, model=self.model), drift=self.drift, present=self.present)
        same = run.present is self.present or (run.present is not None and run.present.same(self.present))
        if (run.setup.model, run.drift) != (self.model, self.drift) or not same:
            save_run(noted, self.out / name)
        return noted

    def _index(self, build_plan: BuildPlan) -> tuple[Index, Build]:
        """The kept index of this build, or a new one, which is kept before it is asked anything."""
        build = self.journal.kept(build_plan.key)
        distance = self.plan.distance
        if build is not None:
            path = self.journal.index_path(build_plan.key)
            self.progress.start(f"load {self.engine.name}", 1, "index")
            place = self._place(build_plan)
            return self.engine.load(path, self.corpus.source, distance, build_plan.settings, place=place), build
        self.progress.start(f"build {self.engine.name}", 1, "index")
        start = time.perf_counter()
        index = self.engine.build(
            self.corpus.source,
            distance,
            build_plan.settings,
            seed=self.plan.seed,
            threads=self.plan.threads,
            place=self._place(build_plan),
        )
        seconds = time.perf_counter() - start
        digest = self.journal.keep(build_plan.key, index.save)
        build = Build(digest, build_plan.settings, self.plan.seed, self.plan.threads, seconds, index.state())
        self.journal.record(build_plan.key, build)
        self.progress.advance(1)
        return index, build

    def _place(self, build_plan: BuildPlan) -> Place:
        return Place(self.journal.folder / f"{build_plan.key}.place")

    def _measure(self, index: Index, build: Build, search: Settings) -> Run:
        in_force = index.configure(search)
        prepared = index.prepare(self.queries.vectors)
        words = " ".join(f"{name}={value}" for name, value in search.items()) or "the defaults"
        self.progress.start(f"measure {words}", len(self.queries), "queries")
        with threadpool_limits(1):  # a plan promises that a search runs on one thread, whatever the engine
            environment: dict[str, Any] = {**machine.environment(), "when": datetime.now(UTC).isoformat()}
            environment["before"] = machine.load()
            asked = ask_every_query(
                index, prepared, self.plan.k, warmup_calls=self.plan.warmup_calls, progress=self.progress
            )
            environment["during"] = machine.load()
        plan = self.plan
        return Run(
            setup=Setup(
                engine=self.engine.name,
                engine_version=str(self.engine.version()),
                distance=plan.distance,
                k=plan.k,
                corpus=self.corpus_fingerprint,
                queries=self.query_fingerprint,
                build=build,
                asked=search,
                in_force=in_force,
                warmup_calls=plan.warmup_calls,
                state=index.state(),
                model=self.model,
            ),
            query_ids=self.queries.ids,
            neighbors=true_neighbors(asked.rows, self.corpus, self.queries, plan.distance),
            latency_s=asked.latency_s,
            failures=asked.failures,
            cost=asked.cost,
            environment=environment,
            call=np.arange(len(self.queries)),
            wall_s=float(asked.latency_s.sum()),
            harness_s=0.0,
            drift=self.drift,
            present=self.present,
        )
