"""Does more effort no longer bring more, below 1.0? Then something else limits recall: codes, or the graph itself.

Looked at is the upper end of a sweep of effort: the points from a quarter of the largest value on, two at least, which
must be a doubling apart. It fires where their means lie within 0.005 of each other, the most that a reader of two
decimals misses, where the interval of the highest ends more than that below 1.0, and where the search did do more:
other answers, or a higher cost. IVF with product codes stays at 0.67 from nprobe 4 on, HNSW over 8-bit codes at 0.984;
with all rows re-ranked both go on to 1.0. A note: the number is right, and turning this knob further is in vain.
"""

from __future__ import annotations

from truerecall.checks._curves import EQUAL_COST, Sweep, cost_growth, mean_of, same_answers, sweeps
from truerecall.checks._words import below_one
from truerecall.model.check import CannotTell, code_of
from truerecall.model.curve import Curve, Point
from truerecall.model.finding import Finding

UPPER_END, DOUBLING = 4.0, 2.0
ALIKE = 0.005


class RecallCeiling:
    title = "a ceiling of recall below 1.0"

    def examine(self, curve: Curve) -> Finding | CannotTell | None:
        ends = [
            (sweep, upper) for sweep in sweeps(curve, curve.measure) if sweep.effort for upper in [_upper_end(sweep)]
        ]
        if not any(upper for _, upper in ends):
            return CannotTell("no setting of search effort was varied up to a doubling")
        flat = [(sweep, upper) for sweep, upper in ends if upper and self._limited(upper, curve.measure)]
        if not flat:
            return None
        sweep, upper = flat[0]
        means = [mean_of(point, curve.measure) or 0.0 for point in upper]
        start = sweep.values[len(sweep.values) - len(upper)]
        return Finding(
            code_of(__name__),
            "note",
            f"{curve.measure} stays at {below_one(max(means), 3)} from {sweep.name} {start:.12g} to"
            f" {sweep.values[-1]:.12g} though the search does more: compressed codes or the graph set a ceiling that"
            " this setting cannot pass",
            "re-rank with full vectors, store more bits, or build with more links or lists",
            {"setting": sweep.name, "from": start, "to": sweep.values[-1], "lowest": min(means), "highest": max(means)},
        )

    def _limited(self, upper: tuple[Point, ...], measure: str) -> bool:
        scores = [own for own in (point.score(measure) for point in upper) if own is not None and own.mean is not None]
        means = [own.mean or 0.0 for own in scores]
        best = scores[means.index(max(means))]
        if max(means) - min(means) > ALIKE or best.ci95 is None or best.ci95[1] >= 1 - ALIKE:
            return False
        growth = cost_growth(upper)
        return not same_answers(upper) or (growth is not None and growth > EQUAL_COST)


def _upper_end(sweep: Sweep) -> tuple[Point, ...]:
    """The points of the largest values, a doubling at least from the first to the last; empty where there are none."""
    top = sweep.values[-1]
    first = min(next(i for i, value in enumerate(sweep.values) if value * UPPER_END >= top), len(sweep.values) - 2)
    return sweep.points[first:] if 0 < sweep.values[first] * DOUBLING <= top else ()


check = RecallCeiling()
