"""Were curves that stand beside each other measured on unlike machines? Then their latencies do not compare.

Facts of the environment that a comparison demands to agree are held against each other over all runs, as far as they
are known. It is a warning:
recall too has been seen to differ from machine to machine (hnswlib#317: 0.95 and 0.80).
"""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.check import CannotTell, code_of
from truerecall.model.comparison import LATENCY_MUST_AGREE
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding
from truerecall.model.run import Run


class UnlikeMachines:
    title = "curves of unlike machines side by side"

    def examine(self, curves: Sequence[Curve]) -> Finding | CannotTell | None:
        runs = [run for curve in curves for point in curve.points for run in point.runs]
        known = [_machine(run) for run in runs]
        found = {name: sorted({facts[name] for facts in known if name in facts}) for name in LATENCY_MUST_AGREE}
        unlike = {name: values for name, values in found.items() if len(values) > 1}
        if not unlike:
            silent = sum(not facts for facts in known)
            return (
                CannotTell(f"nobody knows on which machine {silent} of {len(runs)} runs were made") if silent else None
            )
        told = "; ".join(f"{name.replace('_', ' ')}: {', '.join(values)}" for name, values in unlike.items())
        return Finding(
            code_of(__name__),
            "warning",
            f"the curves were measured on unlike machines ({told}): their latencies do not compare",
            "measure them on one machine, in one run; or read recall alone",
            unlike,
        )


def _machine(run: Run) -> dict[str, str]:
    """The facts that are known of where a run was made."""
    return {name: str(value) for name in LATENCY_MUST_AGREE if (value := run.environment.get(name)) is not None}


check = UnlikeMachines()
