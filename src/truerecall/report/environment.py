"""Where it was measured: what all points share, and what differs between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from truerecall.model.comparison import LATENCY_MUST_AGREE
from truerecall.model.curve import Curve
from truerecall.report.parts import Fact
from truerecall.report.summary_parts import EnvironmentTable
from truerecall.report.wording import flat_facts, some, value_text

PASSING = ("load", "when", "before", "during", "after", "busy", "other")
"""Names of the environment that begin so change from minute to minute on one machine."""

FRACTION = re.compile(r"\.\d+")
"""Of seconds, which nobody reads in a date."""

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
    """Everything in the environments of all passes, whatever its name, once for each machine.

    What passes (load, time) is told from the lowest to the highest; of other facts every value that occurs.
    """
    machines: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    owners: dict[tuple[str, ...], dict[str, None]] = {}
    for curve, name in zip(curves, names, strict=True):
        for run in (run for point in curve.points for run in point.runs):
            machine = tuple(str(run.environment.get(fact)) for fact in LATENCY_MUST_AGREE)
            machines.setdefault(machine, []).append(run.environment)
            owners.setdefault(machine, {})[name] = None
    texts = [_told(environments) for environments in machines.values()]
    keys = dict.fromkeys(key for column in texts for key in column)
    told = {key: {column[key] for column in texts if key in column} for key in keys}
    return EnvironmentTable(
        same=tuple(Fact(key, *values) for key, values in told.items() if len(values) == 1),
        columns=tuple(some(tuple(own)) for own in owners.values()),
        differing=tuple(
            (key, tuple(column.get(key, "not told") for column in texts))
            for key, values in told.items()
            if len(values) > 1
        ),
        differs=_difference(list(machines)),
    )


def _told(environments: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The facts of one machine in words."""
    values: dict[str, dict[str, Any]] = {}
    for environment in environments:
        for path, value in _leaves(environment):
            values.setdefault(path, {})[_text(path, value)] = value
    return {_name(path): _range(path, own) for path, own in values.items()}


def _leaves(mapping: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in mapping.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{name}: ")
        else:
            yield f"{prefix}{name}", value


def _name(path: str) -> str:
    name = flat_facts({path: 0})[0].name
    return WORDS.get(name, name)


def _text(path: str, value: Any) -> str:
    if isinstance(value, list | tuple):
        return "; ".join(sorted(value_text(own) for own in value)) or "none"  # their order says nothing
    text = flat_facts({path: value})[0].value
    return FRACTION.sub("", text) if path == "when" else text


def _range(path: str, values: Mapping[str, Any]) -> str:
    """``values``: what occurred, by how it is written."""
    known = [value for value in values.values() if value is not None]
    if not path.startswith(PASSING) or len({type(value) for value in known}) != 1:
        return some(tuple(values))
    low, high = (_text(path, end) for end in (min(known), max(known)))
    return low if low == high else f"{low} to {high}"


def _difference(machines: Sequence[tuple[str, ...]]) -> str:
    """In what machines differ on which latencies do not compare; empty where there is one."""
    differing = [
        _name(fact)
        for place, fact in enumerate(LATENCY_MUST_AGREE)
        if any(machine[place] != machines[0][place] for machine in machines)
    ]
    if not differing:
        return ""
    return (
        f"The points were not all measured in the same environment ({', '.join(differing)} differ): "
        "their latencies do not compare."
    )
