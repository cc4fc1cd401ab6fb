"""Is one side faster at a lower recall? Every index is faster where it finds less.

It fires at a setting that both sides have where recall is shown to be lower on the side whose median call is shorter by
a tenth at least, and no latencies at equal recall stand beside it. Faster and better at once needs no such care. Where
the sides were not timed alike, as on a busy machine, it is a note that names no ratio; where nobody timed them it
cannot tell.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerecall.model.check import CannotTell, code_of
from truerecall.model.comparison import Comparison, Difference, Entrant, Side
from truerecall.model.finding import Finding

LEAST = 0.9
"""The shorter median is at most this share of the longer one."""


class UnequalRecall:
    title = "a side that is faster at a lower recall"

    def examine(self, comparison: Comparison, sides: Sequence[Side]) -> Finding | CannotTell | None:
        if comparison.equal_quality or not comparison.claims:
            return None
        times = [(own, [_p50_s(side, own) for side in sides]) for own in comparison.claims]
        if all(None in both for _, both in times):
            return CannotTell(comparison.timed_unlike or "no setting was timed on both sides")
        found = [
            (own, one, other)
            for own, (one, other) in times
            if one is not None and other is not None and _faster_and_worse(own, one, other)
        ]
        if not found:
            return None
        own, one, other = min(found, key=lambda seen: min(seen[1] / seen[2], seen[2] / seen[1]))
        faster, slower = (1, 0) if other < one else (0, 1)
        means = (own.first.mean, own.second.mean)
        takes = f"takes {min(one, other) / max(one, other):.2f} times what one of {sides[slower].name} takes"
        if comparison.timed_unlike:
            takes = f"seems to take less than one of {sides[slower].name} ({comparison.timed_unlike})"
        return Finding(
            code_of(__name__),
            "note" if comparison.timed_unlike else "warning",
            f"{own.setting}: a call of {sides[faster].name} {takes}, at {comparison.measure} {means[faster]:.3f}"
            f" against {means[slower]:.3f}: that is no gain",
            "compare the times at equal recall: measure several settings a side",
            {"settings": len(found), "setting": own.setting, "p50_s": [one, other], "means": list(means)},
        )


def _faster_and_worse(own: Difference, one: float, other: float) -> bool:
    if own.word == "lower":
        return other <= LEAST * one
    return own.word == "higher" and one <= LEAST * other


def _p50_s(side: Side, own: Difference) -> float | None:
    """The median over builds of the p50 at the setting of a difference, None where it was not timed or a clock read
    zero."""
    entrant = _entrant(side, own.setting)
    times = [] if entrant is None else [one.p50_s for one in entrant.passes if one.p50_s]
    return float(np.median(times)) if times else None


def _entrant(side: Side, setting: str) -> Entrant | None:
    if len(side.entrants) == 1:
        return side.entrants[0]
    return next((e for e in side.entrants if setting in (e.searched, f"{e.built}, {e.searched}")), None)


check = UnequalRecall()
