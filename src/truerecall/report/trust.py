"""Can this be believed? The findings of all points, merged and ordered, and what the checks could not tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from truerecall.model.curve import Curve, Point
from truerecall.model.finding import SEVERITIES, Finding, verdict_of
from truerecall.report.parts import CheckRow, FindingRow, Sighting, Trust
from truerecall.report.point_rows import setting_of
from truerecall.report.wording import count, flat_facts

Placed = tuple[str, Point]


def trust_in(curves: Sequence[Curve], names: Sequence[str]) -> Trust:
    """The verdict over all points, and everything that led to it."""
    placed = [(name, point) for curve, name in zip(curves, names, strict=True) for point in curve.points]
    findings = merged(placed)
    checks = check_rows(placed)
    verdict = verdict_of(finding for _, point in placed for finding in point.findings)
    withheld = sum(point.verdict == "invalid" for _, point in placed)
    answer, sentence = _answer(findings, checks, points=len(placed), withheld=withheld)
    return Trust(verdict, answer, sentence, findings, checks)


@dataclass(frozen=True)
class Sight:
    """What was seen exactly alike at so many ``points``, and where that is."""

    finding: Finding
    places: tuple[str, ...]
    points: int


@dataclass(frozen=True)
class Weighed:
    """One finding over all the points where it fired; ``sights``: what was seen there, none alike."""

    sights: tuple[Sight, ...]

    @property
    def first(self) -> Finding:
        return self.sights[0].finding

    @property
    def weight(self) -> tuple[int, int, str]:
        """Ascending from the heaviest: severity, then at how many points, then code."""
        points = sum(sight.points for sight in self.sights)
        return -SEVERITIES.index(self.first.severity), -points, self.first.code


def findings_in(curves: Sequence[Curve], names: Sequence[str]) -> tuple[Weighed, ...]:
    """The same finding at several points is one; the heaviest first."""
    return _weighed([(name, point) for curve, name in zip(curves, names, strict=True) for point in curve.points])


def _weighed(placed: Sequence[Placed]) -> tuple[Weighed, ...]:
    found: dict[tuple[str, str, str], dict[tuple[str, str], tuple[Finding, list[Placed]]]] = {}
    for place, finding in ((at, finding) for at in placed for finding in at[1].findings):
        sights = found.setdefault((finding.code, finding.severity, finding.remedy), {})
        evidence = str(flat_facts(finding.evidence))
        sights.setdefault((finding.message, evidence), (finding, []))[1].append(place)
    weighed = (
        Weighed(tuple(Sight(finding, _places(at, placed), len(at)) for finding, at in sights.values()))
        for sights in found.values()
    )
    return tuple(sorted(weighed, key=lambda own: own.weight))


def merged(placed: Sequence[Placed]) -> tuple[FindingRow, ...]:
    """The findings at some points by weight, in words."""
    return tuple(
        FindingRow(
            own.first.code,
            own.first.severity,
            own.first.remedy,
            tuple(Sighting(s.finding.message, s.places, flat_facts(s.finding.evidence)) for s in own.sights),
        )
        for own in _weighed(placed)
    )


def check_rows(placed: Sequence[Placed]) -> tuple[CheckRow, ...]:
    """What each check had to say over all points, by its name."""
    outcomes = [outcome for _, point in placed for outcome in point.checks]
    rows = []
    for code in sorted({outcome.code for outcome in outcomes}):
        own = [outcome for outcome in outcomes if outcome.code == code]
        passed, fired, silent = (sum(o.outcome == wanted for o in own) for wanted in ("passed", "fired", "cannot tell"))
        reasons = tuple(dict.fromkeys(o.reason for o in own if o.outcome == "cannot tell"))
        rows.append(CheckRow(code, passed, fired, silent, reasons))
    return tuple(rows)


def _answer(
    findings: Sequence[FindingRow], checks: Sequence[CheckRow], *, points: int, withheld: int
) -> tuple[str, str]:
    silent = sum(check.passed + check.fired == 0 for check in checks)
    told = count(sum(check.passed > 0 and not check.fired for check in checks), "check")
    aside = f" {count(silent, 'check')} could not tell." if silent else ""
    weights = {finding.severity for finding in findings}
    if withheld == points:
        return "No", "No point is a valid measurement, so no number is shown. What was seen stands below." + aside
    if withheld:
        verbs = "is not valid and shows" if withheld == 1 else "are not valid and show"
        said = f"{withheld} of {count(points, 'point')} {verbs} no number; the others do."
        return "In part", said + aside
    if "warning" in weights:
        warnings = sum(finding.severity == "warning" for finding in findings)
        return "With care", f"{count(warnings, 'warning')} may make the numbers mislead. Read them first." + aside
    if len(checks) == silent:
        return "Not known", "No check could say anything, and that is not a pass." + aside
    if "note" in weights:
        notes = sum(finding.severity == "note" for finding in findings)
        return "No doubts found", f"{told} passed; {count(notes, 'note')} to know of." + aside
    return "No doubts found", f"{told} passed on {count(points, 'point')}." + aside


def _places(seen: Sequence[Placed], placed: Sequence[Placed]) -> tuple[str, ...]:
    """Where something was seen, curve by curve, shortened where it was seen at all of the points."""
    if len(seen) == len(placed):
        return ("every point",) if len(placed) > 1 else (setting_of(seen[0][1]),)
    places = []
    for name in dict.fromkeys(name for name, _ in seen):
        own = [setting_of(point) for at, point in seen if at == name]
        whole = len(own) == sum(at == name for at, _ in placed)
        places.append(f"{name}, every point" if whole else f"{name} {', '.join(own)}")
    return tuple(places) if len({at for at, _ in placed}) > 1 else tuple(setting_of(point) for _, point in seen)
