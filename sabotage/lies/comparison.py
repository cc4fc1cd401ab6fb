"""Lies about which of two is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import truerecall
from sabotage.lie import Lie
from sabotage.workshop import GRAPH, K, Workshop, changed
from truerecall.model.finding import Finding
from truerecall.model.measure_name import MeasureName
from truerecall.model.plan import EnginePlan
from truerecall.model.run import Run

DENSER = changed(GRAPH, factory="HNSW32")
AT_32 = changed(GRAPH, efSearch=(32,))
BUILDS = 3


def compared(shop: Workshop, first: Sequence[Run], second: Sequence[Run]) -> list[Finding]:
    """What is said of the comparison itself."""
    sides = (at_peace(first), at_peace(second))
    made = truerecall.compare_runs(*sides, shop.truth(), measure=MeasureName("recall", K))
    return [outcome.finding for outcome in made.checks if outcome.finding is not None]


def at_peace(runs: Sequence[Run]) -> list[Run]:
    """The runs as on a machine that did nothing else: latencies of a busy one are not compared at all."""
    peace = {when: {"others_busy_cores": 0.0} for when in ("before", "during")}
    return [replace(run, environment={**run.environment, **peace}) for run in runs]


def against(shop: Workshop, first: EnginePlan, second: EnginePlan, **how: int) -> list[Finding]:
    return compared(shop, shop.runs(first, **how), shop.runs(second, **how))


def three_builds_each(shop: Workshop) -> list[Finding]:
    """One thing changed; three builds, three passes and three settings on both sides."""
    return against(shop, GRAPH, DENSER, builds=BUILDS)


def two_things(shop: Workshop) -> list[Finding]:
    return against(shop, GRAPH, changed(DENSER, efConstruction=200), builds=BUILDS)


def one_build_each(shop: Workshop) -> list[Finding]:
    return against(shop, GRAPH, DENSER)


def one_pass_each(shop: Workshop) -> list[Finding]:
    return against(shop, GRAPH, DENSER, builds=BUILDS, repeats=1)


def on_two_machines(shop: Workshop) -> list[Finding]:
    there = shop.runs(DENSER, builds=BUILDS)
    elsewhere = [replace(run, environment={**run.environment, "processor": "another"}) for run in there]
    return compared(shop, shop.runs(GRAPH, builds=BUILDS), elsewhere)


def the_same_twice(shop: Workshop) -> list[Finding]:
    """H23: what differs is the luck of the builds."""
    return against(shop, AT_32, changed(AT_32, factory="HNSW17"), builds=BUILDS)


def careless_against_thorough(shop: Workshop) -> list[Finding]:
    """The faster one finds less."""
    return against(shop, changed(GRAPH, efSearch=(10,)), changed(GRAPH, efSearch=(200,)), builds=BUILDS)


def best_of_seven(shop: Workshop) -> list[Finding]:
    many = (12, 16, 20, 24, 28, 32, 40)
    return against(shop, changed(GRAPH, efSearch=many), changed(DENSER, efSearch=many))


ABOUT_TWO = partial(Lie, honest=three_builds_each, true_of_both=frozenset({"claim-in-closed-loop"}))
"""No claim about latency is free of that one: what is measured here asks when the last answer came."""

LIES = (
    ABOUT_TWO("two things", "M and efConstruction changed, M is credited", "two-things-changed", two_things),
    ABOUT_TWO("one build", "a claim about a method from one build", "claim-on-one-build", one_build_each),
    ABOUT_TWO("one pass", "a claim about latency from one pass", "claim-on-one-pass", one_pass_each),
    ABOUT_TWO("two machines", "latencies of two machines", "other-machine", on_two_machines),
    ABOUT_TWO("luck", "builds differ as much among themselves", "inside-the-noise", the_same_twice),
    ABOUT_TWO("unequal recall", "faster, and finds less", "unequal-recall", careless_against_thorough),
    ABOUT_TWO("best of seven", "the best, on the queries that chose it", "best-of-many", best_of_seven),
)
