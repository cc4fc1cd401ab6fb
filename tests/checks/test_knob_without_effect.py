"""knob-without-effect: a setting that changes nothing (H20)."""

from __future__ import annotations

from typing import Any

from tests.curves import curve_of, point_of
from truerecall.checks.knob_without_effect import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding

SAME, OTHER = [0.8] * 20, [0.8] * 10 + [0.9] * 10


def case(*values: Any, costs: tuple[int, ...] = (), times: tuple[float, ...] = (), **others: Any) -> dict[str, Any]:
    """A point with these values for each of nprobe 1, 2, 4, ..."""
    points = [
        point_of(
            own,
            settings={"nprobe": 2**i, "max_codes": 0},
            effort=("nprobe",),
            cost={"distance_computations": costs[i]} if costs else None,
            p50_s=times[i] if times else 1e-3,
            **others,
        )
        for i, own in enumerate(values)
    ]
    return {"curve": curve_of(*points)}


def grid(first_moves: bool) -> dict[str, Any]:
    """ef and rescore, of which the second does nothing, and the first something or nothing."""
    points = [
        point_of(OTHER if ef == 2 and first_moves else SAME, settings={"ef": ef, "rescore": rescore}, effort=("ef",))
        for ef in (1, 2)
        for rescore in (10, 20)
    ]
    return {"curve": curve_of(*points)}


FIRES = {
    "H20": case(SAME, SAME, SAME),
    "at one cost": case(SAME, SAME, costs=(500, 500)),
    "one of two": grid(first_moves=True),
    "both": grid(first_moves=False),
}
STAYS_QUIET = {
    "other answers": case(SAME, OTHER),
    "the same at more cost: a ceiling": case(SAME, SAME, costs=(500, 900)),
    "the same in more time": case(SAME, SAME, times=(1e-3, 1.9e-3)),
    "perfect, which is another check's": case([1.0] * 20, [1.0] * 20),
}


def test_the_setting_is_named_with_its_values() -> None:
    finding = check.examine(**FIRES["H20"])
    assert isinstance(finding, Finding)
    assert finding.message == (
        "nprobe 1 to 4: the answers are the same id by id at 3 values, with recall@10 0.800 and the same cost: the"
        " setting does nothing"
    )
    assert (finding.severity, finding.evidence["settings"]) == ("warning", {"nprobe": [1.0, 2.0, 4.0]})


def test_in_a_grid_only_the_idle_one_is_named_and_one_of_no_known_effort_weighs_less() -> None:
    one, both = (check.examine(**FIRES[name]) for name in ("one of two", "both"))
    assert isinstance(one, Finding)
    assert isinstance(both, Finding)
    assert (list(one.evidence["settings"]), one.severity) == (["rescore"], "note")
    assert (list(both.evidence["settings"]), both.severity) == (["ef", "rescore"], "warning")


def test_nothing_varied_nothing_told() -> None:
    assert isinstance(check.examine(**case(SAME)), CannotTell)
    words = [point_of(SAME, settings={"mode": word}) for word in ("strict", "relaxed")]
    assert isinstance(check.examine(curve_of(*words)), CannotTell)
