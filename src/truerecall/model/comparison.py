"""Two sides that answered the same queries, and what the difference between them is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from truerecall.model.finding import CheckOutcome, Finding
from truerecall.model.measure import PerQuery

MUST_AGREE = ("model", "distance", "corpus", "queries", "k")
"""Facts of a measurement without which two numbers are not of one thing: where one differs there is no comparison."""

KNOWN_ON_BOTH = ("model", "seed")
"""Facts that are compared only where both sides know them."""

LATENCY_MUST_AGREE = ("processor", "cores_usable", "cores_logical", "memory_bytes", "platform", "cpu_governor")
"""Facts of the environment without which two latencies do not compare."""

ALPHA = 0.05

Word = Literal["higher", "lower", "same", "not shown", "undecided"]
Claim = Literal["this index", "the method"]


@dataclass(frozen=True, eq=False)
class Pass:
    """One build at one setting: a value per query in the order of the truth's queries, and how long calls took.

    ``p50_s``, ``p50_by_pass_s``, ``mode`` and ``environment`` are None and empty for answers that nobody timed.
    """

    build: str
    per_query: PerQuery
    p50_s: float | None = None
    environment: Mapping[str, Any] = field(default_factory=dict)
    p50_by_pass_s: tuple[float, ...] = ()
    mode: str = ""


@dataclass(frozen=True, eq=False)
class Entrant:
    """One setting of one side, in words, with a pass for each build of it. Settings are matched by ``built`` and
    ``searched``, and by what in ``how`` (the mode, the warm-up and the like, in the same order everywhere) is not the
    same at all settings of a side."""

    built: str
    searched: str
    passes: tuple[Pass, ...]
    how: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Side:
    """What is compared. ``facts``: fact -> every value that it has on this side, those of MUST_AGREE among them, and no
    other where nobody knows how the answers were made."""

    name: str
    facts: Mapping[str, tuple[str, ...]]
    entrants: tuple[Entrant, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def origin_known(self) -> bool:
        return not set(self.facts) <= set(MUST_AGREE)


@dataclass(frozen=True)
class Change:
    """A fact that is not the same on both sides, with its values in words."""

    fact: str
    first: str
    second: str

    @property
    def forbids(self) -> bool:
        return self.fact in MUST_AGREE

    def __str__(self) -> str:
        return f"{self.fact} ({self.first} → {self.second})"


@dataclass(frozen=True)
class Builds:
    """How many builds a side has at one setting, the mean over them, and their standard deviation (None for one)."""

    count: int
    mean: float
    sd: float | None


@dataclass(frozen=True)
class Difference:
    """The second side less the first at one setting, over the ``n`` queries that have a value on both.

    ``higher``, ``lower`` and ``same`` count queries. ``standard_error`` is that of the paired difference,
    ``unpaired_error`` what it would be had other queries been asked on each side. ``p`` is that of ``test``,
    ``p_holm`` the same when all settings of the comparison count, ``smallest_p`` the least that the test can give for
    so many queries. None where one query tells nothing. ``claim``: what the interval and the test are about; for the
    method ``build_share`` is the part of the variance that builds have. ``word``: what is shown.
    """

    setting: str
    first: Builds
    second: Builds
    difference: float
    ci95: tuple[float, float] | None
    ci_method: str
    standard_error: float | None
    unpaired_error: float | None
    n: int
    left_out: int
    higher: int
    lower: int
    same: int
    claim: Claim
    test: str
    p: float
    smallest_p: float
    p_holm: float
    word: Word
    build_share: float | None = None

    @property
    def within_builds(self) -> bool:
        """Whether builds of one setting differ by as much."""
        if self.build_share is None or self.standard_error is None:
            return False
        return abs(self.difference) <= 2 * self.standard_error * math.sqrt(self.build_share)


@dataclass(frozen=True)
class EqualQuality:
    """What a call costs on either side where both reach the same mean; read off between measured points."""

    quality: float
    first_s: float
    second_s: float

    @property
    def ratio(self) -> float:
        return self.second_s / self.first_s


@dataclass(frozen=True)
class Comparison:
    """``no_latency``: why latencies are not compared; empty where they are. ``notes``: what else a reader must know.

    ``timed_unlike``: why a call of one side may not be held against one of the other; empty where it may.
    ``findings``: those of the sides, by their names; ``checks``: what was said of the comparison itself.
    ``origin_unknown``: the sides of which nobody knows how the answers were made, so that ``changes`` are those of
    MUST_AGREE alone.
    """

    measure: str
    names: tuple[str, str]
    changes: tuple[Change, ...]
    differences: tuple[Difference, ...]
    equal_quality: tuple[EqualQuality, ...]
    no_latency: str
    notes: tuple[str, ...]
    findings: tuple[tuple[str, Finding], ...]
    origin_unknown: tuple[str, ...] = ()
    timed_unlike: str = ""
    checks: tuple[CheckOutcome, ...] = ()

    @property
    def claims(self) -> tuple[Difference, ...]:
        """The differences that are called one."""
        return tuple(difference for difference in self.differences if difference.word in ("higher", "lower"))

    @property
    def own_findings(self) -> tuple[Finding, ...]:
        """What the checks of the comparison found."""
        return tuple(outcome.finding for outcome in self.checks if outcome.finding is not None)

    @property
    def decided(self) -> bool:
        """Whether any of the tests could have shown a difference."""
        return any(difference.word != "undecided" for difference in self.differences)
