"""Is recall 1.0 at every setting, at one cost? Then every row is looked at, whatever the settings say.

An index that searches more costs more. It fires where all settings of a curve reach exactly 1.0 and what the engine
counted is the same, or, where it counts nothing, the median time of the fastest pass (which noise touches least) grew
by less than a quarter for every doubling of the effort. A graph that is swept from 16 to 256 grows at least sixfold;
the calls of a scan differ by noise alone (H08: 21 ms at each of four settings). Not for an index that calls itself
exact. Whether a plan or a state tells of the scan is what ``index-not-used`` looks at.
"""

from __future__ import annotations

from truerecall.checks._curves import flat, mean_of, settings_of, sweeps
from truerecall.model.check import CannotTell, code_of
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding


class AlwaysPerfect:
    title = "recall of 1.0 at every setting and at one cost"

    def examine(self, curve: Curve) -> Finding | CannotTell | None:
        points = [point for point in curve.points if mean_of(point, curve.measure) is not None]
        if len({str(settings_of(point)) for point in points}) < 2:
            return CannotTell("one setting has nothing to be held against")
        if points[0].run.setup.state.exact_by_design or any(mean_of(point, curve.measure) != 1.0 for point in points):
            return None
        doublings = max((sweep.doublings for sweep in sweeps(curve, curve.measure) if sweep.effort), default=1.0)
        found = flat(points, doublings)
        if found is None:
            return None
        what, growth = found
        return Finding(
            code_of(__name__),
            "warning",
            f"{curve.measure} is 1.0 at every one of {len(points)} settings and {what} is flat (the largest is"
            f" {growth:.2f} times the smallest): this looks like a scan of all rows, not like an index",
            "look at the plan or the state of the index: is it built, and does the search fit its distance?",
            {"settings": len(points), "flat": what, "growth": growth, "effort_doublings": doublings},
        )


check = AlwaysPerfect()
