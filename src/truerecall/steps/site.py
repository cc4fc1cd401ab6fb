"""The builds of a plan: how far each has come, where its index lies, and the bench that holds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from truerecall.errors import InputError, TruerecallError
from truerecall.model.attributes import Attributes
from truerecall.model.engine import Place
from truerecall.model.permuted import PermutedSource
from truerecall.model.plan import Plan
from truerecall.model.progress import Progress
from truerecall.model.run import Build
from truerecall.model.vectors import Corpus, QuerySet
from truerecall.steps.bench import Bench, Isolation, Recipe, Workplace
from truerecall.steps.handing import Handing
from truerecall.steps.residents import Residents
from truerecall.steps.rounds import insertion_order
from truerecall.steps.sweep import BuildPlan
from truerecall.steps.time_left import TimeLeft
from truerecall.steps.worker_bench import WorkerBench
from truerecall.store.journal import Journal
from truerecall.store.runs import load_run


@dataclass(eq=False)
class Plot:
    """One build of the plan as far as it has come. ``permuted``: the rows in the order in which it takes them, None for
    their own; ``build``: the record of its index, None before the first visit; ``done``: the files of its passes."""

    plan: BuildPlan
    permuted: PermutedSource | None
    build: Build | None = None
    done: set[str] = field(default_factory=set)

    @property
    def finished(self) -> bool:
        return self.done == set(self.plan.files)


class Site:
    """All builds of a plan, as ``plots``. Indexes lie in the journal; ``plan.resident`` of them are in memory."""

    def __init__(
        self,
        plan: Plan,
        builds: list[BuildPlan],
        corpus: Corpus,
        queries: QuerySet,
        out: Path,
        *,
        isolation: Isolation,
        progress: Progress,
        attributes: Attributes | None = None,
    ) -> None:
        self.plan, self.corpus, self.queries, self.out = plan, corpus, queries, out
        self.isolation, self.progress = isolation, progress
        self.attributes = attributes
        self.journal = Journal(out.with_name(out.name + ".part"))
        self.handing = Handing(self.journal.folder)
        self.residents = Residents(plan.resident)
        self.plots = [Plot(own, self._permuted(own)) for own in builds]
        missing = {plot.plan.key: [not (out / file).exists() for file in plot.plan.files] for plot in self.plots}
        unbuilt = [key for key, own in missing.items() if any(own) and not self.journal.index_path(key).exists()]
        self.time_left = TimeLeft(builds=len(unbuilt), passes=sum(sum(own) for own in missing.values()))

    def _permuted(self, own: BuildPlan) -> PermutedSource | None:
        source = self.corpus.source
        return PermutedSource(source, insertion_order(source.rows, own.seed)) if own.number else None

    def look_at(self, plot: Plot) -> None:
        """Find the passes over a build that lie there already, and its index where any pass is missing.

        Passes over another index than the one that is kept, or built anew, are removed.
        """
        builds = {}
        for file in plot.plan.files:
            path = self.out / file
            try:
                if path.exists():
                    builds[file] = load_run(path).setup.build
            except InputError as error:
                aside = path.replace(path.with_name(f"{file}.damaged"))
                self.progress.say(f"{error.problem}: it is kept as {aside.name} and measured again")
        if len(builds) == len(list(plot.plan.files)) and len({build.id for build in builds.values()}) == 1:
            index = next(iter(builds.values()))
        else:
            index = self._attach(plot) if plot.plan.attach else self.journal.kept(plot.plan.key) or self._build(plot)
        for file, build in builds.items():
            if build.id == index.id:
                index = build  # built anew, but the same: its passes keep one record
                plot.done.add(file)
            else:
                (self.out / file).unlink()
        plot.build = index

    def bench(self, plot: Plot) -> Workplace:
        """The bench with the index of a build, read from the journal where it is not in memory."""
        bench = self.residents.get(plot.plan.key)
        if bench is None:
            self.progress.now(f"load {self.called(plot)}", self.time_left.seconds)
            bench = self.residents.open(plot.plan.key, lambda: self._opened(plot))
            if plot.plan.attach:
                bench.attach()
            else:
                self._load(bench, plot.plan.key)
        return bench

    def _load(self, bench: Workplace, key: str) -> None:
        """An index that is not there any more is forgotten, as where a server lost it."""
        try:
            bench.load(self.journal.index_path(key))
        except InputError as error:
            self.residents.close(key)
            self.journal.forget(key)
            raise InputError(error.problem, "start again: it is built anew") from None

    def leave(self, plot: Plot) -> None:
        """A build is finished: its index is needed no more, nor what a server keeps of it."""
        own = plot.plan
        self.residents.close(own.key)
        path = self.journal.index_path(own.key)
        if path.exists():
            try:
                own.engine.discard(path, place=self._place(own))
            except TruerecallError as error:
                self.progress.say(f"{error.problem}: what {own.engine.name} keeps of {self.called(plot)} stays there")
        self.journal.forget(own.key)

    def let_go(self, plot: Plot) -> None:
        """An engine that failed is asked no more; what it had built and measured stays."""
        self.residents.close(plot.plan.key)

    def close(self) -> None:
        self.residents.close_all()
        self.handing.clear()

    def called(self, plot: Plot) -> str:
        """The build in words."""
        number = f", build {plot.plan.number + 1} of {self.plan.builds}" if self.plan.builds > 1 else ""
        return plot.plan.words + number

    def _attach(self, plot: Plot) -> Build:
        """Open an index that exists; nothing is kept of it."""
        own = plot.plan
        self.progress.now(f"attach to {self.called(plot)}", self.time_left.seconds)
        bench = self.residents.get(own.key) or self.residents.open(own.key, lambda: self._opened(plot))
        return Build(own.key, own.settings, own.seed, self.plan.threads, None, bench.attach(), own.number)

    def _place(self, own: BuildPlan) -> Place:
        return Place(self.journal.index_folder(own.key), own.dsn_file)

    def _build(self, plot: Plot) -> Build:
        """Build an index, and keep it before it is asked anything."""
        own = plot.plan
        self.progress.now(f"build {self.called(plot)}", self.time_left.seconds)
        with self.time_left.doing("build"):
            bench = self.residents.open(own.key, lambda: self._opened(plot))
            seconds, state = bench.build()
            digest = self.journal.keep(own.key, bench.save)
        build = Build(digest, own.settings, own.seed, self.plan.threads, seconds, state, own.number)
        self.journal.record(own.key, build)
        return build

    def _opened(self, plot: Plot) -> Workplace:
        own = plot.plan
        source = None if own.attach else plot.permuted or self.corpus.source
        attributes = None if own.attach else self.attributes
        if attributes is not None and plot.permuted is not None:
            attributes = attributes.take(plot.permuted.order)
        recipe = Recipe(
            own.engine.name,
            source,
            self.plan.distance,
            own.settings,
            own.seed,
            self.plan.threads,
            self._place(own),
            own.attach,
            attributes,
        )
        if self.isolation == "none":
            return Bench(recipe, self.queries.vectors, self.isolation)
        return WorkerBench(recipe, self.queries.vectors, self.handing)
