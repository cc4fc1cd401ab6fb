"""Does recall fall where the search does more? Better search cannot look worse against an exact truth.

Against a list that an index made it does (H17: 0.99, 0.90, 0.84 with more effort: the better search leaves the errors
of the reference behind). Of every two values of a setting of effort the same queries are held against each other. It
fires where the mean falls by more than 0.01 and by more than four standard errors of the paired difference: with the 45
pairs of ten settings chance alone reaches that in one sweep of 700. Fewer than 15 queries may all fall by chance, and
it cannot tell. Compressed codes may lose some thousandths with more candidates, which is below it.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from truerecall.checks._curves import Sweep, sweeps
from truerecall.checks._words import below_one
from truerecall.model.check import CannotTell, code_of
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding
from truerecall.model.score import Score

LEAST, ERRORS = 0.01, 4.0
ENOUGH = 15
"""From so many queries on, all falling alike is rarer than four standard errors: 2 to the power of -14."""


class RecallFalls:
    title = "recall that falls with effort"

    def examine(self, curve: Curve) -> Finding | CannotTell | None:
        swept = [sweep for sweep in sweeps(curve, curve.measure) if sweep.effort]
        if not swept:
            return CannotTell("no setting of search effort was varied by itself")
        n = max(own.n for sweep in swept for point in sweep.points if (own := point.score(curve.measure)) is not None)
        if n < ENOUGH:
            return CannotTell(f"{n} {'query is' if n == 1 else 'queries are'} too few: all may fall by chance")
        falls = [fall for sweep in swept for fall in _falls(sweep, curve.measure)]
        if not falls:
            return None
        drop, error, sweep, before, after = max(falls, key=lambda fall: fall[0])
        scores = [sweep.points[place].score(curve.measure) for place in (before, after)]
        means = [own.mean for own in scores if own is not None and own.mean is not None]
        return Finding(
            code_of(__name__),
            "warning",
            f"{curve.measure} falls from {below_one(means[0], 3)} to {below_one(means[1], 3)} as {sweep.name} rises"
            f" from {sweep.values[before]:.12g} to {sweep.values[after]:.12g} (by {drop:.3f} ± {1.96 * error:.3f} on"
            " the same queries): the truth may be the work of an index, or the setting not what it is taken for",
            "verify the truth (truerecall truth verify --all), and see that more of this setting is more effort",
            {
                "setting": sweep.name,
                "values": list(sweep.values),
                "from": sweep.values[before],
                "to": sweep.values[after],
                "drop": drop,
                "standard_error": error,
            },
        )


check = RecallFalls()


def _falls(sweep: Sweep, measure: str) -> list[tuple[float, float, Sweep, int, int]]:
    """How far the mean falls from one value to a larger one, its standard error, and the places of both."""
    scores = [point.score(measure) for point in sweep.points]
    found = []
    for before, after in combinations(range(len(scores)), 2):
        low, high = scores[before], scores[after]
        if low is None or high is None or sweep.values[before] == sweep.values[after]:
            continue
        drop, error = _paired(low, high)
        if drop > LEAST and drop > ERRORS * error:
            found.append((drop, error, sweep, before, after))
    return found


def _paired(low: Score, high: Score) -> tuple[float, float]:
    """The mean of the first less that of the second over queries that have both, and its standard error."""
    both = low.per_query.defined & high.per_query.defined
    differences = (low.per_query.values - high.per_query.values)[both]
    if len(differences) < ENOUGH:
        return 0.0, math.inf
    return float(differences.mean()), float(np.std(differences, ddof=1) / math.sqrt(len(differences)))
