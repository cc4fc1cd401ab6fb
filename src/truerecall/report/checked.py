"""What was checked, short enough to be read: fifty checks in a few lines, and findings that do not flood a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from truerecall.report.parts import CheckRow, Fact, FindingRow, Sighting
from truerecall.report.wording import count, shortened, some

SHOWN = 3
"""So many sightings of a finding, and so many places of a sighting, are shown at once; the others are folded."""
LONGEST_FACT, LONGEST_PLACE = 40, 100


@dataclass(frozen=True)
class Checked:
    """The checks by what came of them: ``fired`` somewhere, ``passed`` on everything, ``partly`` on some where on the
    rest they could not tell, and ``silent`` where they never could."""

    fired: tuple[CheckRow, ...]
    passed: tuple[CheckRow, ...]
    partly: tuple[CheckRow, ...]
    silent: tuple[CheckRow, ...]

    @property
    def line(self) -> str:
        """``41 checks passed, 2 fired, 3 could not tell at some points, 7 could not tell``."""
        counted = (
            (self.passed, "passed"),
            (self.fired, "fired"),
            (self.partly, "passed where they could tell"),
            (self.silent, "could not tell"),
        )
        parts = [f"{len(rows):,} {words}" for rows, words in counted if rows]
        total = sum(len(rows) for rows, _ in counted)
        return f"{count(total, 'check')}: {', '.join(parts)}"


def sorted_checks(checks: Sequence[CheckRow]) -> Checked:
    """Each check in one of the four."""
    quiet = [check for check in checks if not check.fired]
    return Checked(
        fired=tuple(check for check in checks if check.fired),
        passed=tuple(check for check in quiet if check.passed and not check.cannot_tell),
        partly=tuple(check for check in quiet if check.passed and check.cannot_tell),
        silent=tuple(check for check in quiet if not check.passed),
    )


def reasons_of(check: CheckRow) -> str:
    """Why a check could not tell, shortened where it had many reasons."""
    return some(check.reasons)


def places_of(sighting: Sighting) -> str:
    """Where something was seen, shortened."""
    return some([shortened(place, LONGEST_PLACE) for place in sighting.places])


def shown_sightings(finding: FindingRow) -> tuple[Sighting, ...]:
    return finding.sightings[:SHOWN]


def folded_sightings(finding: FindingRow) -> tuple[Sighting, ...]:
    return finding.sightings[SHOWN:]


def brief_evidence(sighting: Sighting) -> tuple[Fact, ...]:
    """What was seen, in numbers: the facts that are short."""
    return tuple(fact for fact in sighting.evidence if len(fact.name) + len(fact.value) <= LONGEST_FACT)
