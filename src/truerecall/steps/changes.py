"""What differs between the two sides of a comparison, and whether they may be compared at all."""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.errors import NotAMeasurement
from truerecall.model.comparison import KNOWN_ON_BOTH, MUST_AGREE, Change


def changes_between(first: dict[str, tuple[str, ...]], second: dict[str, tuple[str, ...]]) -> tuple[Change, ...]:
    """The facts that differ, those that forbid a comparison first. A fact that one side alone has is one of them, but
    for those of KNOWN_ON_BOTH; where nobody knows how one side was made, those of MUST_AGREE alone are looked at."""
    silent = any(set(side) <= set(MUST_AGREE) for side in (first, second))
    looked_at = MUST_AGREE if silent else (*MUST_AGREE, *first, *second)
    names = [name for name in dict.fromkeys(looked_at) if name in first or name in second]
    return tuple(
        Change(name, ", ".join(first.get(name, ("not set",))), ", ".join(second.get(name, ("not set",))))
        for name in names
        if first.get(name) != second.get(name) and (name not in KNOWN_ON_BOTH or (name in first and name in second))
    )


def demand_comparable(changes: Sequence[Change]) -> None:
    """Raises NotAMeasurement, naming everything that differs, where a fact that must agree does not."""
    forbidding = [change for change in changes if change.forbids]
    if forbidding:
        raise NotAMeasurement(
            changed_words(changes), f"measure both sides with the same {', '.join(c.fact for c in forbidding)}"
        )


def changed_words(changes: Sequence[Change], origin_unknown: Sequence[str] = ()) -> str:
    """``two things changed: M (16 → 32) and the corpus (...)``; what was set comes before what must agree."""
    if origin_unknown and not changes:
        return f"nobody knows how the answers of {' and '.join(origin_unknown)} were made, nor so what changed"
    if not changes:
        return "nothing that was set differs"
    ordered = sorted(changes, key=lambda change: change.forbids)
    words = [
        f"the {change}" if change.fact in ("model", "distance", "corpus", "queries") else str(change)
        for change in ordered
    ]
    number = {1: "one thing", 2: "two things", 3: "three things"}.get(len(words), f"{len(words)} things")
    named = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    return f"{number} changed: {named}"
