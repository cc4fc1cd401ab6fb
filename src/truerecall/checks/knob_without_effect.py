"""Does a setting change nothing at all? Then it is not wired, and the curve is one point drawn several times.

It fires where the answers below 1.0 are the same id by id over all values of a setting, and what the engine counted is
the same too; where it counts nothing, where the time is flat (see ``always-perfect``). Answers that stay while the cost
rises are a ceiling (``recall-ceiling``). For a setting of which more is more effort it is a warning, else a note:
others may rightly have no effect on these vectors (H20; faiss#1007: a setter that did nothing).
"""

from __future__ import annotations

from truerecall.checks._curves import flat, mean_of, same_answers, sweeps
from truerecall.checks._words import below_one
from truerecall.model.check import CannotTell, code_of
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding


class KnobWithoutEffect:
    title = "a setting without effect"

    def examine(self, curve: Curve) -> Finding | CannotTell | None:
        swept = list(sweeps(curve, curve.measure))
        if not swept:
            return CannotTell("no setting was varied by itself")
        idle = {
            name: [sweep for sweep in swept if sweep.name == name]
            for name in {sweep.name for sweep in swept}
            if all(
                same_answers(sweep.points) and flat(sweep.points, sweep.doublings)
                for sweep in swept
                if sweep.name == name
            )
        }
        below = {
            name: own
            for name, own in sorted(idle.items())
            if any((mean_of(sweep.points[0], curve.measure) or 0.0) < 1 for sweep in own)
        }
        if not below:
            return None
        first = next(iter(below.values()))[0]
        mean = mean_of(first.points[0], curve.measure) or 0.0
        words = ", ".join(own[0].words for own in below.values())
        return Finding(
            code_of(__name__),
            "warning" if any(sweep.effort for own in below.values() for sweep in own) else "note",
            f"{words}: the answers are the same id by id at {len(first.points)} values, with {curve.measure}"
            f" {below_one(mean, 3)} and the same cost: the setting does nothing",
            "see that it reaches the index that answers, under the name that this index knows",
            {"settings": {name: list(own[0].values) for name, own in below.items()}, "mean": mean},
        )


check = KnobWithoutEffect()
