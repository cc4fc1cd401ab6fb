"""What was measured against, and where: the truth card and the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truerecall.model.curve import Curve
from truerecall.model.truth import NOT_COUNTED, GroundTruth
from truerecall.report.parts import EnvironmentTable, Fact
from truerecall.report.wording import flat_facts, queries, value_text

PASSING = ("load", "when", "before", "during", "after")
"""Names of the environment that begin so change from minute to minute on one machine."""


def truth_facts(truth: GroundTruth) -> tuple[Fact, ...]:
    """The truth card, in the order of interest."""
    corpus, asked = truth.corpus, truth.queries
    return (
        Fact("distance", truth.distance),
        Fact("depth (k)", str(truth.k)),
        Fact("state", truth.state),
        Fact("corpus", f"{_rows(truth)} × {corpus.dimensions:,} dimensions, {corpus.dtype}"),
        Fact("queries", f"{asked.rows:,} × {asked.dimensions:,} dimensions, {asked.dtype}"),
        Fact("ids", f"corpus {corpus.ids}, queries {asked.ids}"),
        Fact(f"tie across the cut at {truth.k}", _ties(truth)),
        Fact("copy of the query in the corpus", _copies(truth)),
        *(Fact(f"left out: {name}", text) for name, text in truth.reasons.items()),
        Fact("corpus fingerprint", _short(corpus.digest)),
        Fact("query fingerprint", _short(asked.digest)),
        *(Fact(f"made: {fact.name}", fact.value) for fact in flat_facts(truth.provenance)),
    )


def ties_across(truth: GroundTruth) -> int | None:
    """How many queries have more rows in the tie band at the cut than places left for them; None where nobody
    counted."""
    return int(truth.ties_across.sum()) if (truth.tied != NOT_COUNTED).any() else None


def _rows(truth: GroundTruth) -> str:
    drawn_from = truth.card.drawn_from
    rows = truth.corpus.rows
    return f"{rows:,} rows" if drawn_from is None else f"sampled corpus, {rows:,} of {drawn_from:,} rows"


def _ties(truth: GroundTruth) -> str:
    across = ties_across(truth)
    return "not counted" if across is None else queries(across)


def _copies(truth: GroundTruth) -> str:
    """How many queries have a copy in the corpus, where somebody counted."""
    counted = truth.copies != NOT_COUNTED
    return queries(int((truth.copies[counted] > 0).sum())) if counted.any() else "not counted"


def environment_table(curves: Sequence[Curve], names: Sequence[str]) -> EnvironmentTable:
    """One column per environment; points that differ only in what passes (load, time) share one, with its range."""
    columns: list[dict[str, Any]] = []
    owners: list[list[str]] = []
    loads: list[list[Mapping[str, Any]]] = []
    for curve, name in zip(curves, names, strict=True):
        for point in curve.points:
            steady, load = _parted(point.run.environment)
            if steady not in columns:
                columns.append(steady)
                owners.append([])
                loads.append([])
            place = columns.index(steady)
            loads[place].append(load)
            if name not in owners[place]:
                owners[place].append(name)
    texts = [
        {fact.name: fact.value for fact in (*flat_facts(steady), *flat_facts(_ranges(load)))}
        for steady, load in zip(columns, loads, strict=True)
    ]
    keys = list(dict.fromkeys(key for column in texts for key in column))
    rows = tuple((key, tuple(column.get(key, "not known") for column in texts)) for key in keys)
    return EnvironmentTable(tuple(", ".join(own) for own in owners), rows, _difference(rows, len(columns)))


def _parted(environment: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The steady part of an environment, and what passes."""
    load = {name: value for name, value in environment.items() if name.startswith(PASSING)}
    return {name: value for name, value in environment.items() if name not in load}, load


def _ranges(loads: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Each value that passes, as one or from the lowest to the highest."""
    ranges: dict[str, Any] = {}
    for name in loads[0]:
        values = [load[name] for load in loads if load.get(name) is not None]
        if values and all(isinstance(value, Mapping) for value in values):
            ranges[name] = _ranges(values)
            continue
        if values and all(type(value) is type(values[0]) for value in values) and min(values) < max(values):
            ranges[name] = f"{value_text(min(values))} to {value_text(max(values))}"
        else:
            ranges[name] = values[0] if values else None
    return ranges


def _difference(rows: tuple[tuple[str, tuple[str, ...]], ...], columns: int) -> str:
    if columns < 2:
        return ""
    differing = [name for name, values in rows if len(set(values)) > 1 and not name.startswith(PASSING)]
    return (
        f"The points were not all measured in the same environment ({', '.join(differing)} differ): "
        "their latencies do not compare."
    )


def _short(digest: str) -> str:
    return digest[:12]
