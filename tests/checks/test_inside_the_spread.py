"""inside-the-spread: differences between curves within that of builds or passes (H23)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.curves import curve_of, point_of
from truerecall.checks.inside_the_spread import check
from truerecall.model.check import CannotTell
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding


def build(factory: str, mean: float, times: tuple[float, ...] = (), ef: int = 16) -> Curve:
    point = point_of([mean] * 10, settings={"efSearch": ef})
    own = replace(point.run.setup.build, id=f"{factory} {mean}", settings={"factory": factory})
    run = replace(point.run, setup=replace(point.run.setup, build=own))
    return curve_of(replace(point, runs=(run,), latency=replace(point.latency, p50_by_pass_s=times)))


M16 = tuple(build("m16", mean) for mean in (0.973862, 0.972478, 0.972676))
FIRES: dict[str, dict[str, Any]] = {
    "H23": {"curves": (*M16, build("m32", 0.9737))},
    "passes overlap": {"curves": (build("a", 0.9, (1.0, 1.4, 1.2)), build("b", 0.5, (1.3, 1.5, 1.6)))},
}
STAYS_QUIET: dict[str, dict[str, Any]] = {
    "far apart": {"curves": (*M16, build("m32", 0.99))},
    "passes apart": {"curves": (build("a", 0.9, (1.0, 1.1)), build("b", 0.9, (1.2, 1.3)))},
    "equal to the last digit": {"curves": (build("a", 0.9), *M16, build("a", 0.9))},
}


def test_h23_in_numbers() -> None:
    finding, times = (check.examine(**FIRES[name]) for name in FIRES)
    assert isinstance(finding, Finding)
    assert isinstance(times, Finding)
    assert finding.message == (
        "differences within the spread, which show nothing: 0.0007 of recall between faiss m16 and faiss m32 at"
        " efSearch=16, one-by-one (spread of builds 0.0017)"
    )
    assert "p50 of faiss a and faiss b at efSearch=16, one-by-one (passes overlap)" in times.message
    assert (finding.severity, finding.evidence["recall"], times.evidence["latency"]) == ("note", 1, 1)


def test_one_build_and_one_pass_have_no_spread() -> None:
    assert isinstance(check.examine((build("a", 0.9), build("b", 0.9))), CannotTell)


def test_nothing_to_hold_against_is_no_pass() -> None:
    assert isinstance(check.examine((*M16, build("m32", 0.9737, ef=32))), CannotTell)
    assert isinstance(check.examine(M16[:1]), CannotTell)
