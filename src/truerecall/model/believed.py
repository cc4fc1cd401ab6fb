"""Scores, and what the checks said of them: what a point of a curve and judged answers have in common."""

from __future__ import annotations

from truerecall.model.finding import CheckOutcome, Finding, Verdict, verdict_of
from truerecall.model.score import Score


class Believed:
    """A base for records with ``scores`` and ``checks``."""

    scores: tuple[Score, ...]
    checks: tuple[CheckOutcome, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(c.finding for c in self.checks if c.finding is not None)

    @property
    def verdict(self) -> Verdict:
        return verdict_of(self.findings)

    def score(self, measure: str) -> Score | None:
        return next((s for s in self.scores if s.measure == measure), None)
