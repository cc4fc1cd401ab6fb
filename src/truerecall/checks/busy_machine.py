"""Did other programs keep cores busy while this was measured? They share caches and memory even where a core is free.

It fires where others kept more than half a core busy, or more than a tenth of all cores where that is more. It is a
note: what load did to the numbers shows in the spread over passes and in ``drift-during-run``, recall is not touched,
and a comparison refuses latencies that were taken so.
"""

from __future__ import annotations

from truerecall.model.busy import others_in
from truerecall.model.check import CannotTell, code_of
from truerecall.model.finding import Finding
from truerecall.model.run import Run


class BusyMachine:
    title = "a machine that was busy with something else"

    def examine(self, run: Run) -> Finding | CannotTell | None:
        others = others_in(run.environment)
        if others is None:
            return CannotTell("nobody knows how busy the machine was")
        if not others.many:
            return None
        return Finding(
            code_of(__name__),
            "note",
            f"other programs kept {others.busy:.1f} of {others.cores} cores busy while this was measured:"
            " latency may be longer than it is alone",
            "let the machine do nothing else, and measure again",
            {"busy": others.busy, "cores": others.cores},
        )


check = BusyMachine()
