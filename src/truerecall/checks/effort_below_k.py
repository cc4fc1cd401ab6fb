"""Is a setting that limits the number of answers below k? Recall then has a ceiling, whatever the index holds.

It fires on any: with ef_search 40 and k 100 no search can reach more than 0.40 (H19). Which settings limit answers is
the engine's word (``Setup.limiting``); most raise theirs to k by themselves, and do not name it.
"""

from __future__ import annotations

from truerecall.model.check import code_of
from truerecall.model.finding import Finding
from truerecall.model.run import Run


class EffortBelowK:
    title = "a search effort below k"

    def examine(self, run: Run) -> Finding | None:
        k, held = run.setup.k, run.setup.in_force
        below = {
            name: value for name in run.setup.limiting if isinstance(value := held.get(name), int | float) and value < k
        }
        if not below:
            return None
        ceiling = min(below.values()) / k
        told = ", ".join(f"{name} {value} < {k}" for name, value in below.items())
        return Finding(
            code_of(__name__),
            "warning",
            f"{told}: no more than that many answers can come back, and the ceiling of recall@{k} is {ceiling:.2f}",
            f"set {' and '.join(below)} to {k} at least, or ask for fewer",
            {"k": k, "limits": below, "ceiling": ceiling},
        )


check = EffortBelowK()
