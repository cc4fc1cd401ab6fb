"""A lie, its honest twin, and what was seen of either."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from sabotage.workshop import Workshop
from truerecall.errors import TruerecallError
from truerecall.model.finding import Finding


@dataclass(frozen=True)
class Seen:
    """What came of a program: the severities of its findings by their codes, or the error that refused it."""

    findings: dict[str, str] = field(default_factory=dict)
    refused: str = ""

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> Seen:
        weights = ("note", "warning", "invalid")
        found: dict[str, str] = {}
        for finding in findings:
            found[finding.code] = max(found.get(finding.code, "note"), finding.severity, key=weights.index)
        return cls(found)

    def of_weight(self, severity: str) -> list[str]:
        return sorted(code for code, own in self.findings.items() if own == severity)


Program = Callable[[Workshop], Iterable[Finding]]


@dataclass(frozen=True)
class Lie:
    """``told``: what is pretended, in a line. ``caught_by``: the code of the check that must fire, or the name of the
    error that must refuse the program. ``true_of_both``: codes of what holds of the honest twin as well, and is no
    false alarm there."""

    name: str
    told: str
    caught_by: str
    lying: Program
    honest: Program
    true_of_both: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Trial:
    lie: Lie
    lying: Seen
    honest: Seen

    @property
    def caught(self) -> bool:
        return self.lie.caught_by in (*self.lying.findings, self.lying.refused)

    @property
    def false_alarms(self) -> list[str]:
        """What was wrongly held against the honest twin: invalid findings, warnings, or that it was refused."""
        alarms = [
            f"{code} ({weight})"
            for weight in ("invalid", "warning")
            for code in self.honest.of_weight(weight)
            if code not in self.lie.true_of_both
        ]
        return [*alarms, *([self.honest.refused] if self.honest.refused else [])]


def tried(lie: Lie, workshop: Workshop, known: dict[Program, Seen]) -> Trial:
    """Both programs, run. ``known``: what was seen of honest twins before, each of which is run once."""
    if lie.honest not in known:
        known[lie.honest] = seen(lie.honest, workshop)
    return Trial(lie, seen(lie.lying, workshop), known[lie.honest])


def seen(program: Program, workshop: Workshop) -> Seen:
    try:
        return Seen.of(program(workshop))
    except TruerecallError as error:
        return Seen(refused=type(error).__name__)
