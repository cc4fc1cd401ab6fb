"""What differs between two truths: one JSON document, and the same in words and as rows of a table."""

from __future__ import annotations

import math
from typing import Any

from truerecall.model.arrays import Ids
from truerecall.model.truth_diff import TruthDiff
from truerecall.report.document import plain
from truerecall.report.wording import CONTROLS, count, distance_text, percent, queries, significant

NAMED = 3
HEADER = ("query", "left", "entered", "moved", "overlap", "at the cut", "greatest change", "ties explain it")


def truth_diff_card(diff: TruthDiff) -> dict[str, Any]:
    """The shape that ``truth diff --json`` prints. ``changed_queries`` holds every query that changed, the worst first;
    what ties explain is in them too. ``overlap`` is null where both lists are empty, ``cuts``, ``distance_change`` and
    ``by_ties`` where the truths are of different distances."""
    changed = diff.changed
    card = {
        "agree": diff.agrees,
        "differences": list(diff.differences),
        "k": diff.k,
        "depths": list(diff.depths),
        "queries": len(diff),
        "only_in_first": diff.only_first,
        "only_in_second": diff.only_second,
        "changed": int(changed.sum()),
        "by_ties": None if diff.within_ties is None else int((changed & diff.within_ties).sum()),
        "entered": len(diff.entered.ids),
        "left": len(diff.left.ids),
        "moved": int(diff.moved.sum()),
        "distance_change": _greatest(diff),
        "changed_queries": [_query(diff, place) for place in diff.worst().tolist()],
    }
    return {name: plain(value) for name, value in card.items()}


def diff_text(diff: TruthDiff) -> str:
    """What differs in the subject first, then how many queries changed and by how much."""
    lines = [f"other subject: of the first truth, {difference}" for difference in diff.differences]
    for only, which in ((diff.only_first, "first"), (diff.only_second, "second")):
        if len(only):
            lines.append(f"{queries(len(only))} in the {which} truth alone: {_some(only)}")
    deep = "" if diff.depths == (diff.k, diff.k) else f" (the truths hold {diff.depths[0]:,} and {diff.depths[1]:,})"
    lines.append(f"compared: {queries(len(diff))} at k {diff.k:,}{deep}")
    changed = int(diff.changed.sum())
    if not changed:
        return "\n".join([*lines, "no list changed"])
    beyond = int(diff.beyond_ties.sum())
    ties = "" if diff.within_ties is None else f": {changed - beyond:,} by ties alone, {beyond:,} beyond them"
    lines.append(f"{queries(changed)} changed{ties}")
    exchanged = f"{count(len(diff.left.ids), 'neighbour')} left, {len(diff.entered.ids):,} entered"
    lines.append(f"{exchanged}, {int(diff.moved.sum()):,} stayed in another order")
    greatest = _greatest(diff)
    if greatest is not None:
        lines.append(f"greatest change of a distance at one place: {significant(greatest)}")
    return "\n".join(lines)


def diff_rows(diff: TruthDiff, most: int) -> list[tuple[str, ...]]:
    """The worst queries under HEADER, at most so many."""
    rows: list[tuple[str, ...]] = []
    for place in diff.worst(most).tolist():
        overlap = float(diff.overlap[place])
        cuts = "" if diff.cuts is None else " → ".join(_distance(value) for value in diff.cuts[:, place].tolist())
        change = None if diff.distance_change is None else float(diff.distance_change[place])
        rows.append(
            (
                _plain(diff.query_ids[place]),
                _some(diff.left.of(place)[0]),
                _some(diff.entered.of(place)[0]),
                str(diff.moved[place]),
                "" if math.isnan(overlap) else percent(overlap),
                cuts,
                "" if change is None or math.isnan(change) else significant(change),
                "" if diff.within_ties is None else "yes" if diff.within_ties[place] else "no",
            )
        )
    return rows


def _query(diff: TruthDiff, place: int) -> dict[str, Any]:
    return {
        "query": diff.query_ids[place],
        "left": diff.left.of(place)[0],
        "entered": diff.entered.of(place)[0],
        "moved": diff.moved[place],
        "overlap": diff.overlap[place],
        "cuts": None if diff.cuts is None else diff.cuts[:, place],
        "distance_change": None if diff.distance_change is None else diff.distance_change[place],
        "by_ties": None if diff.within_ties is None else diff.within_ties[place],
    }


def _greatest(diff: TruthDiff) -> float | None:
    """The greatest change of a distance at one place; None where no place can be compared."""
    known = [] if diff.distance_change is None else [v for v in diff.distance_change.tolist() if not math.isnan(v)]
    return max(known, default=None)


def _some(ids: Ids) -> str:
    """A few ids, and how many more there are."""
    named = ", ".join(_plain(own) for own in ids[:NAMED].tolist())
    return f"{named} and {len(ids) - NAMED:,} more" if len(ids) > NAMED else named


def _plain(own: Any) -> str:
    """An id on one line."""
    return str(own).translate({**CONTROLS, ord("\t"): " ", ord("\n"): " "})


def _distance(value: float) -> str:
    return "none" if math.isnan(value) else distance_text(value)
