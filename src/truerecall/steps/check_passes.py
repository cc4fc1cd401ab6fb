"""What the checks say of a point over all its passes: the heaviest that is said of any of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from truerecall.model.answers import Answers
from truerecall.model.finding import SEVERITIES, CheckOutcome
from truerecall.model.run import Run
from truerecall.steps.check import examine


def examine_passes(passes: Sequence[tuple[Run, Answers]], evidence: Mapping[str, Any]) -> tuple[CheckOutcome, ...]:
    """What each check says, by name. Checks of one run and of its answers are asked for every pass, those of all other
    ``evidence`` once, with the first pass at hand.

    Of one check the first of the heaviest outcomes stands; it tells of its pass where that is not the first one.
    """
    (run, answers), *others = passes
    said = {own.code: own for own in examine({**evidence, **_of_pass(run, answers)})}
    for number, (run, answers) in enumerate(others, start=2):
        for own in examine(_of_pass(run, answers), beside=evidence):
            if _weight(own) > _weight(said[own.code]):
                said[own.code] = _told(own, number, len(passes))
    return tuple(said.values())


def _of_pass(run: Run, answers: Answers) -> dict[str, Any]:
    return {"run": run, "answers": answers, "failures": run.failures[run.failed]}


def _weight(outcome: CheckOutcome) -> int:
    """Ascending: passed, cannot tell, and what was found by its severity."""
    if outcome.finding is not None:
        return 2 + SEVERITIES.index(outcome.finding.severity)
    return int(outcome.outcome == "cannot tell")


def _told(outcome: CheckOutcome, number: int, passes: int) -> CheckOutcome:
    where, found = f"in pass {number} of {passes}", outcome.finding
    if found is None:
        return replace(outcome, reason=f"{where}: {outcome.reason}")
    return replace(outcome, finding=replace(found, message=f"{where}: {found.message}"))
