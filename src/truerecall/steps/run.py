"""Build, sweep, measure: one Run file per pass, written as soon as the pass is done.

A measurement that was interrupted goes on at the first pass that is missing. All passes over a build share one index:
the saved one is used again, and where it is gone the index is built anew and the passes stand only if its bytes are the
same; otherwise that build starts over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from truerecall import shelf
from truerecall.errors import EngineFailed, InputError
from truerecall.model.distance import distance_named
from truerecall.model.drift import Drift
from truerecall.model.neighbors import Neighbors
from truerecall.model.plan import Plan
from truerecall.model.progress import SILENT, Progress
from truerecall.model.run import Run
from truerecall.model.trials import Trials
from truerecall.model.vectors import Corpus, Fingerprint, QuerySet, demand_fit
from truerecall.steps.bench import Isolation
from truerecall.steps.measuring import Measuring, Sides
from truerecall.steps.narrow import Narrows, narrowed
from truerecall.steps.noted import Noted
from truerecall.steps.site import Site
from truerecall.steps.sweep import builds_of, checked_grid
from truerecall.store.places import demand_folder_place


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
    isolation: Isolation = "process",
    examine: Callable[[Run], Trials | None] | None = None,
    narrows: Narrows | None = None,
    on_left: Callable[[str, EngineFailed], None] = lambda built, error: None,
) -> Iterator[Run]:
    """The passes of the plan in rounds (see steps/rounds.py), each as soon as it is measured; one that lies in ``out``
    already is loaded in its turn.

    ``model``: what embedded both sides; ``drift``: how the corpus differs from that of the truth that the runs will be
    judged by; ``present``: the neighbours of that truth, in the order of ``queries``, at their distances in this
    corpus. All are noted in every run. ``isolation``: whether each build is measured in a process of its own; ``none``
    for an engine that exists in this process only. ``examine``: called with every run while no pass is on the clock,
    what it gives is kept as the run's trials; a run that was loaded may bring some, which stay if they are given back.
    ``narrows``: what the filters of the plan keep of this corpus, where that is known already.
    ``on_left``: called with each build that is left because its engine failed, where the plan says to go on.

    Raises InputError for anything in the plan that cannot be, before the first index is built. While the plan is
    unfinished the built indexes lie in ``OUT.part``.
    """
    out = Path(out).resolve()
    plan = replace(plan, distance=distance_named(plan.distance).name)
    demand_folder_place(out)
    demand_fit(corpus, queries, plan.k)
    _demand_modes_filled(plan, queries)
    narrows = narrowed(plan.filters, corpus, seed=plan.seed) if narrows is None else narrows
    digests = {"corpus_digest": corpus_fingerprint.digest, "query_digest": query_fingerprint.digest}
    builds = builds_of(plan, corpus, **digests, narrows=narrows)
    site = Site(
        plan, builds, corpus, queries, out, isolation=isolation, progress=progress, attributes=narrows.attributes
    )
    sides = Sides(corpus, queries, corpus_fingerprint, query_fingerprint)
    return Measuring(plan, sides, site, out, Noted(model, drift, present, examine), progress, on_left).runs()


def demand_plan_possible(plan: Plan, corpus: Corpus, queries: QuerySet, out: Path) -> None:
    """Raises InputError for anything in the plan that ``run`` would refuse. Reads nothing of the vectors."""
    demand_folder_place(out)
    demand_fit(corpus, queries, plan.k)
    _demand_modes_filled(plan, queries)
    for own in plan.engines:
        checked_grid(plan, own, shelf.engines.get(own.engine), corpus.source)


def _demand_modes_filled(plan: Plan, queries: QuerySet) -> None:
    """Raises InputError for a mode that the queries cannot fill: its name would promise more than was asked at once."""
    count = len(queries)
    for mode in plan.modes:
        if mode.size > count:
            raise InputError(f"the mode {mode} takes {mode.size} queries at once, and there are {count}", "give fewer")
