"""always-perfect: recall 1.0 at every setting and at one cost (H08)."""

from __future__ import annotations

from typing import Any

from tests.curves import curve_of, point_of
from truerecall.checks.always_perfect import check
from truerecall.model.check import CannotTell
from truerecall.model.engine import IndexState
from truerecall.model.finding import Finding

PERFECT = [1.0] * 20
H08 = (40, 80, 160, 320)


def case(
    times: tuple[float, ...], *, costs: tuple[int, ...] = (), values: Any = PERFECT, **others: Any
) -> dict[str, Any]:
    points = [
        point_of(
            values,
            settings={"efSearch": ef},
            p50_s=seconds,
            cost={"distance_computations": costs[i]} if costs else None,
            **others,
        )
        for i, (ef, seconds) in enumerate(zip(H08, times, strict=False))
    ]
    return {"curve": curve_of(*points)}


FIRES = {
    "H08": case((0.021, 0.021, 0.0212, 0.0209)),
    "noise of a third over eightfold effort": case((0.021, 0.028, 0.024, 0.022)),
    "the cost is flat though the time is not": case((0.01, 0.05, 0.02, 0.03), costs=(30_000,) * 4),
}
STAYS_QUIET = {
    "time rises": case((0.001, 0.0016, 0.003, 0.006)),
    "cost rises": case((0.021,) * 4, costs=(400, 700, 1300, 2500)),
    "below one": case((0.021,) * 4, values=[1.0] * 19 + [0.9]),
    "exact by design": case((0.021,) * 4, state=IndexState("Flat", 1000, 1000, True, "none", None, True)),
}


def test_it_says_what_was_flat() -> None:
    by_time, by_cost = (check.examine(**FIRES[name]) for name in ("H08", "the cost is flat though the time is not"))
    assert isinstance(by_time, Finding)
    assert isinstance(by_cost, Finding)
    assert by_time.message.startswith(
        "recall@10 is 1.0 at every one of 4 settings and time is flat (the largest is 1.01 times the smallest)"
    )
    assert (by_time.severity, by_cost.evidence["flat"]) == ("warning", "cost")


def test_what_a_formula_says_is_no_cost_that_was_seen() -> None:
    rising = case((0.021,) * 4, costs=(400, 700, 1300, 2500), by_formula=("distance_computations",))
    assert isinstance(check.examine(**rising), Finding)


def test_one_setting_tells_nothing_nor_do_points_without_a_number() -> None:
    assert isinstance(check.examine(**case((0.021,))), CannotTell)
    withheld = [point_of(PERFECT, settings={"efSearch": ef}, valid=False) for ef in H08]
    assert isinstance(check.examine(curve_of(*withheld)), CannotTell)
