"""Were the sides measured on unlike machines? Their latencies do not compare, and recall may differ by it too.

Facts of the environment that latencies demand to agree are held against each other (hnswlib#317: the same code had
0.95 and 0.80 on two machines). Of answers that nobody timed, nobody knows the machine.
"""

from __future__ import annotations

from collections.abc import Sequence

from truerecall.model.check import CannotTell, code_of
from truerecall.model.comparison import LATENCY_MUST_AGREE, Side
from truerecall.model.finding import Finding


class OtherMachine:
    title = "sides that were measured on unlike machines"

    def examine(self, sides: Sequence[Side]) -> Finding | CannotTell | None:
        known = [_machine(side) for side in sides]
        silent = [side.name for side, facts in zip(sides, known, strict=True) if not any(facts.values())]
        if silent:
            return CannotTell(f"nobody knows on which machine {' and '.join(silent)} ran")
        unlike = {
            name: sorted(set().union(*(facts[name] for facts in known)))
            for name in LATENCY_MUST_AGREE
            if len(set().union(*(facts[name] for facts in known))) > 1
        }
        if not unlike:
            return None
        told = "; ".join(f"{name.replace('_', ' ')}: {', '.join(values)}" for name, values in unlike.items())
        return Finding(
            code_of(__name__),
            "warning",
            f"the sides were measured on unlike machines ({told}): a difference in recall may be theirs too",
            "measure both sides on one machine, in one run",
            unlike,
        )


def _machine(side: Side) -> dict[str, set[str]]:
    """The values of each fact that are known on a side."""
    passes = [own for entrant in side.entrants for own in entrant.passes]
    return {
        name: {str(value) for own in passes if (value := own.environment.get(name)) is not None}
        for name in LATENCY_MUST_AGREE
    }


check = OtherMachine()
