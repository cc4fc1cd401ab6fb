"""Do curves that stand beside each other ask unlike things? Then a difference between them is not the engine's.

Vectors, distance, k, model and warm-up must agree, or neither recall nor latency compares: a warning. Modes and threads
may be compared on purpose, and are told as a note: a call of a batch carries many queries, and clients wait for each
other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from truerecall.model.check import code_of
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding
from truerecall.model.run import Setup

MUST_AGREE: dict[str, Callable[[Setup], str | None]] = {
    "corpus": lambda setup: setup.corpus.digest[:12],
    "queries": lambda setup: setup.queries.digest[:12],
    "distance": lambda setup: setup.distance,
    "k": lambda setup: str(setup.k),
    "model": lambda setup: setup.model,
    "warm-up calls": lambda setup: str(setup.warmup_calls),
}
"""None where a fact is not known, which is then not held against what is."""

MAY_DIFFER: dict[str, Callable[[Setup], str | None]] = {
    "mode": lambda setup: str(setup.mode),
    "threads": lambda setup: str(setup.build.threads),
}


class UnlikeQuestions:
    title = "curves that ask unlike things side by side"

    def examine(self, curves: Sequence[Curve]) -> Finding | None:
        setups = [curve.points[0].run.setup for curve in curves]
        grave, slight = (_unlike(setups, facts) for facts in (MUST_AGREE, MAY_DIFFER))
        unlike = {**grave, **slight}
        if not unlike:
            return None
        told = "; ".join(f"{name}: {', '.join(values)}" for name, values in unlike.items())
        return Finding(
            code_of(__name__),
            "warning" if grave else "note",
            f"the curves were not asked alike ({told}):"
            f" {'neither recall nor latency compares' if grave else 'the times of a call do not compare across them'}",
            "compare curves that were asked alike; measure them in one run",
            unlike,
        )


def _unlike(setups: Sequence[Setup], facts: dict[str, Callable[[Setup], str | None]]) -> dict[str, list[str]]:
    found = {
        name: sorted({own for setup in setups if (own := fact(setup)) is not None}) for name, fact in facts.items()
    }
    return {name: values for name, values in found.items() if len(values) > 1}


check = UnlikeQuestions()
