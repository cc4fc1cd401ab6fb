"""The headline: what a reader should take away, one sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.measure_name import MeasureName
from truerecall.report.curve_parts import Family, OverBuilds, SettingRow
from truerecall.report.estimates import latency_text, measured_text
from truerecall.report.wording import DEFAULTS, some

Placed = tuple[OverBuilds, Family, SettingRow]


def headline(families: Sequence[Family], measure: str, k: int) -> tuple[str, ...]:
    """A sentence for each family: what it reaches at its knee, or at its best setting where it has none."""
    return tuple(_of_family(family, measure, k) for family in families)


def extremes(families: Sequence[Family], measure: str) -> tuple[str, ...]:
    """The best setting of all, and the cheapest of each mode; empty where there is only one to speak of.

    What is within the spread over the passes of the cheapest is named with it: nobody knows which of them is sooner.
    """
    scored: list[Placed] = [
        (own, family, row) for family in families for row in family.settings if (own := row.measured(measure))
    ]
    if len(scored) < 2:
        return ()
    best = max(scored, key=lambda at: (at[0].mean, -_p50(at[2])))
    sentences = [f"Best: {_at(best)}."]
    modes = dict.fromkeys(family.mode for _, family, _ in scored)
    for mode in modes:
        timed = [at for at in scored if at[1].mode == mode and at[2].span is not None]
        if len(timed) > 1:
            sentences.append(_cheapest(timed, f" ({mode})" if len(modes) > 1 else ""))
    return tuple(sentences)


def _cheapest(timed: Sequence[Placed], where: str) -> str:
    cheapest = min(timed, key=lambda at: _p50(at[2]))
    own = cheapest[2].span
    assert own is not None
    near = [
        f"{family.label} at {row.setting}"
        for _, family, row in timed
        if row is not cheapest[2] and row.span is not None and not own.sooner_than(row.span)
    ]
    if not near:
        alone = " One pass each does not say how much that varies." if own.ends_s is None else ""
        return f"Cheapest{where}: {_at(cheapest)}.{alone}"
    return f"Cheapest{where}, within the spread over the passes: {_at(cheapest)}; {some(near)}."


def _p50(row: SettingRow) -> float:
    return 0.0 if row.span is None else row.span.p50_s


def _at(placed: Placed) -> str:
    own, family, row = placed
    return f"{family.label} at {row.setting}, {measured_text(own)}, {_latency(own, family, row)}"


def _of_family(family: Family, measure: str, k: int) -> str:
    row = family.reading(measure)
    own = row.measured(measure) if row is not None else None
    if row is None or own is None:
        return f"{family.label} shows no number: none of its points has a valid score."
    if MeasureName.parse(measure).base == "recall":
        claim = f"{family.label} finds {measured_text(own)} of the true top {k}"
    else:
        claim = f"{family.label} reaches {measured_text(own)} {measure}"
    at = "" if row.setting == DEFAULTS else f" at {row.setting}"
    alone = row.is_knee or len(family.settings) == 1
    tail = "" if alone else " That is its best setting; the curve has no knee."
    return f"{claim}{at}, {_latency(own, family, row)}.{tail}"


def _latency(own: OverBuilds, family: Family, row: SettingRow) -> str:
    return f"{latency_text(row, family.mode)}, n={own.n:,}"
