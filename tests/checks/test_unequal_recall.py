"""unequal-recall: a side that is faster at a lower recall."""

from __future__ import annotations

from typing import Any

from tests.sides import EQUAL, comparison, difference, side, sides
from truerecall.checks.unequal_recall import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding

WORSE = comparison(difference("ef=64", 0.95, 0.8))
FAST = sides(p50_s=0.0005)
FIRES: dict[str, dict[str, Any]] = {
    "B is faster and worse": {"comparison": WORSE, "sides": FAST},
    "A is faster and worse": {"comparison": comparison(difference()), "sides": sides(p50_s=0.002)},
    "by its setting": {
        "comparison": WORSE,
        "sides": (side("A", ("ef=32", "ef=64")), side("B", ("ef=64", "ef=128"), p50_s=0.0005)),
    },
}
STAYS_QUIET: dict[str, dict[str, Any]] = {
    "faster and better": {"comparison": comparison(difference()), "sides": FAST},
    "as fast": {"comparison": WORSE, "sides": sides(p50_s=0.00095)},
    "nothing is claimed": {"comparison": comparison(difference("ef=64", 0.95, 0.8, word="not shown")), "sides": FAST},
    "at equal recall too": {"comparison": comparison(*WORSE.differences, equal_quality=EQUAL), "sides": FAST},
}


def test_both_numbers_of_both_sides_are_told() -> None:
    second, first = (check.examine(**FIRES[name]) for name in ("B is faster and worse", "A is faster and worse"))
    assert isinstance(second, Finding)
    assert isinstance(first, Finding)
    assert second.message == (
        "ef=64: a call of B takes 0.50 times what one of A takes, at recall@10 0.800 against 0.950: that is no gain"
    )
    assert "a call of A takes 0.50 times what one of B takes, at recall@10 0.900 against 0.950" in first.message
    assert second.severity == "warning"


def test_sides_that_were_not_timed_alike_have_no_ratio() -> None:
    busy = comparison(*WORSE.differences, timed_unlike="other programs kept 1.8 of 2 cores busy")
    finding = check.examine(busy, FAST)
    assert isinstance(finding, Finding)
    assert "a call of B seems to take less than one of A (other programs kept 1.8 of 2 cores busy)" in finding.message
    assert finding.severity == "note"
    untimed = check.examine(comparison(*WORSE.differences, timed_unlike="nobody timed B"), sides(p50_s=None))
    assert untimed == CannotTell("nobody timed B")


def test_a_clock_that_reads_zero_tells_nothing() -> None:
    stopped = (side("A", p50_s=0.0), side("B", p50_s=0.0))
    assert check.examine(WORSE, stopped) == CannotTell("no setting was timed on both sides")
