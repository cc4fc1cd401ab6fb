"""Where it was measured: what all points share, and what differs between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truerecall.model.comparison import LATENCY_MUST_AGREE
from truerecall.model.curve import Curve
from truerecall.report.parts import Fact
from truerecall.report.summary_parts import EnvironmentTable
from truerecall.report.wording import flat_facts, some, spoken, value_text

PASSING = ("load", "when", "before", "during", "after", "busy", "other")
"""Names of the environment that begin so change from minute to minute on one machine."""

WORDS = {
    "cores usable": "cores the program may use",
    "cores logical": "cores of the machine",
    "cpu governor": "power governor",
    "thread pools": "thread pools of the libraries",
    "isolation": "builds are kept apart by",
    "before: load average": "load average before the passes",
    "before: cpu percent": "processor busy before the passes, %",
    "before: own busy cores": "cores the measurement kept busy before the passes",
    "before: others busy cores": "cores other programs kept busy before the passes",
    "before: memory available": "memory free before the passes",
    "during: load average": "load average during the passes",
    "during: cpu percent": "processor busy during the passes, %",
    "during: own busy cores": "cores the measurement kept busy during the passes",
    "during: others busy cores": "cores other programs kept busy during the passes",
    "during: memory available": "memory free after the passes",
}
"""Better names than the fields have; a field that is not here is called by its own."""


def environment_table(curves: Sequence[Curve], names: Sequence[str]) -> EnvironmentTable:
    """Points that differ only in what passes (load, time) share an environment, with its range over all their passes.

    Everything in the environments is shown, whatever its name.
    """
    steady: list[dict[str, Any]] = []
    owners: list[list[str]] = []
    loads: list[list[Mapping[str, Any]]] = []
    for curve, name in zip(curves, names, strict=True):
        for run in (run for point in curve.points for run in point.runs):
            own, load = _parted(run.environment)
            if own not in steady:
                steady.append(own)
                owners.append([])
                loads.append([])
            place = steady.index(own)
            loads[place].append(load)
            if name not in owners[place]:
                owners[place].append(name)
    texts = [
        {WORDS.get(fact.name, fact.name): fact.value for fact in (*flat_facts(own), *flat_facts(_ranges(load)))}
        for own, load in zip(steady, loads, strict=True)
    ]
    keys = dict.fromkeys(key for column in texts for key in column)
    told = {key: {column[key] for column in texts if key in column} for key in keys}
    return EnvironmentTable(
        same=tuple(Fact(key, *values) for key, values in told.items() if len(values) == 1),
        columns=tuple(some(own) for own in owners),
        differing=tuple(
            (key, tuple(column.get(key, "not told") for column in texts))
            for key, values in told.items()
            if len(values) > 1
        ),
        differs=_difference(steady),
    )


def _parted(environment: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The steady part of an environment, and what passes."""
    load = {name: value for name, value in environment.items() if name.startswith(PASSING)}
    return {name: value for name, value in environment.items() if name not in load}, load


def _ranges(loads: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Each value that passes, as one or from the lowest to the highest."""
    ranges: dict[str, Any] = {}
    for name in dict.fromkeys(name for load in loads for name in load):
        values = [load[name] for load in loads if load.get(name) is not None]
        if values and all(isinstance(value, Mapping) for value in values):
            ranges[name] = _ranges(values)
            continue
        if values and all(type(value) is type(values[0]) for value in values) and min(values) < max(values):
            ranges[name] = f"{value_text(min(values))} to {value_text(max(values))}"
        else:
            ranges[name] = values[0] if values else None
    return ranges


def _difference(steady: Sequence[Mapping[str, Any]]) -> str:
    """Whether the points were measured on machines on which latencies do not compare, and in what these differ."""
    differing = [
        spoken(name) for name in LATENCY_MUST_AGREE if any(own.get(name) != steady[0].get(name) for own in steady)
    ]
    if not differing:
        return ""
    differing = [WORDS.get(name, name).removesuffix(" bytes") for name in differing]
    return (
        f"The points were not all measured in the same environment ({', '.join(differing)} differ): "
        "their latencies do not compare."
    )
