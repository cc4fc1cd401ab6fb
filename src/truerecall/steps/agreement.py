"""Whether one list of a truth agrees with the second look at the corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerecall.model.arrays import Floats, Ids, Integers
from truerecall.model.ids import NO_ROW
from truerecall.model.truth import NOT_COUNTED
from truerecall.model.verification import Disagreement
from truerecall.scan.question import Look


@dataclass(frozen=True, eq=False)
class Listed:
    """What a truth says of one query. ``rows``: the row of each id, NO_ROW where no row bears it."""

    query: Any
    ids: Ids
    rows: Integers
    distances: Floats
    eligible: int
    nearer: int
    tied: int


def disagreement(listed: Listed, seen: Look, names: Ids) -> Disagreement | None:
    """The first thing in which they differ, None where they agree. ``names``: the ids of the rows that ``seen`` holds.

    Ids may differ inside the tie band, distances within what rounding explains.
    """
    if listed.eligible != seen.eligible:
        said = f"{listed.eligible:,} rows are said to be eligible, and {seen.eligible:,} are"
        return _of(listed, "eligible", None, listed.eligible, seen.eligible, said)
    if len(listed.ids) != len(seen.rows):
        said = f"{len(listed.ids)} rows are listed, and there should be {len(seen.rows)}"
        return _of(listed, "length", None, len(listed.ids), len(seen.rows), said)
    return _in_list(listed, seen, names) or _in_counts(listed, seen)


def same_rows(rows: Integers, seen: Look) -> bool:
    """Whether the rows are the nearest ones as far as ties and rounding allow, whatever else is said of them."""
    known = len(rows) == len(seen.rows) and len(np.unique(rows)) == len(rows) and not bool(np.isnan(seen.at).any())
    edge = seen.cut + seen.band + 2 * seen.rounding
    return known and bool(np.isin(seen.sure, rows).all()) and bool((seen.at <= edge).all())


def _in_list(listed: Listed, seen: Look, names: Ids) -> Disagreement | None:
    at, roundings = seen.at, seen.at_roundings
    for place, (row, name) in enumerate(zip(listed.rows, listed.ids.tolist(), strict=True)):
        said = f"{name} is listed at place {place + 1}"
        if row == NO_ROW:
            return _of(listed, "id", name, None, None, f"{said} and no row bears this id")
        if np.isnan(at[place]):
            return _of(listed, "id", name, None, None, f"{said} and may not answer this query")
        if bool((listed.rows[:place] == row).any()):
            return _of(listed, "id", name, None, None, f"{said} a second time")
        own, stored = float(at[place]), float(listed.distances[place])
        if not abs(own - stored) <= roundings[place]:
            found = f"{said} at distance {stored:.17g}, and lies at {own:.17g}"
            return _of(listed, "distance", name, stored, own, found)
        edge = seen.cut + seen.band + roundings[place] + seen.rounding
        if own > edge:
            missed = seen.rows[~np.isin(seen.rows, listed.rows)]
            nearer = f"; {names[np.flatnonzero(seen.rows == missed[0])[0]]} is nearer" if len(missed) else ""
            found = f"{said} and lies at {own:.17g}, beyond the cut at {seen.cut:.17g}{nearer}"
            return _of(listed, "id", name, own, seen.cut, found)
    missing = seen.sure[~np.isin(seen.sure, listed.rows)]
    if len(missing):
        place = int(np.flatnonzero(seen.rows == missing[0])[0])
        name, value = names[place], float(seen.values[place])
        said = f"{name} lies at {value:.17g}, before the cut at {seen.cut:.17g}, and is not listed"
        return _of(listed, "id", name, None, value, said)
    falls = np.flatnonzero(at[1:] < at[:-1] - (roundings[:-1] + roundings[1:]))
    if len(falls):
        place = int(falls[0]) + 1
        said = f"{listed.ids[place]} lies at {at[place]:.17g} and is listed after a row at {at[place - 1]:.17g}"
        return _of(listed, "order", listed.ids.tolist()[place], float(at[place - 1]), float(at[place]), said)
    return None


def _in_counts(listed: Listed, seen: Look) -> Disagreement | None:
    for kind, stored, (least, most) in (("nearer", listed.nearer, seen.nearer), ("tied", listed.tied, seen.tied)):
        if stored != NOT_COUNTED and not least <= stored <= most:
            where = "nearer than the tie band" if kind == "nearer" else "in the tie band"
            span = f"{least}" if least == most else f"{least} to {most}"
            said = f"{stored} rows are said to lie {where} at the cut, and {span} do"
            return _of(listed, kind, None, stored, least if stored < least else most, said)
    return None


def _of(listed: Listed, kind: str, row: Any, stored: float | None, found: float | None, said: str) -> Disagreement:
    return Disagreement(listed.query, kind, row, stored, found, f"query {listed.query}: {said}")
