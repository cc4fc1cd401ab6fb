"""single-build: another build finds other rows (H23)."""

from __future__ import annotations

from dataclasses import replace

from tests.curves import curve_of, point_of
from truerecall.checks.single_build import check
from truerecall.model.curve import Curve
from truerecall.model.finding import Finding
from truerecall.model.mode import Mode


def build(build_id: str, *, number: int = 0, exact: bool = False, mode: str = "one-by-one") -> Curve:
    curve = curve_of(point_of([0.9], build_id=build_id, exact=exact, mode=Mode.parse(mode)))
    (point,) = curve.points
    run = point.run
    run = replace(run, setup=replace(run.setup, build=replace(run.setup.build, number=number)))
    return replace(curve, points=(replace(point, runs=(run,)),))


FIRES: dict[str, dict[str, tuple[Curve, ...]]] = {
    "one": {"curves": (build("a"),)},
    "one in two modes": {"curves": (build("a"), build("a", mode="batch:8"))},
}
STAYS_QUIET = {
    "H23: three": {"curves": tuple(build(name, number=i) for i, name in enumerate("abc"))},
    "two that came out alike": {"curves": (build("a"), build("a", number=1))},
    "exact by design": {"curves": (build("a", exact=True),)},
}


def test_it_names_what_was_built_once() -> None:
    finding = check.examine((build("a"), build("b", number=1), build("f", exact=True)))
    assert finding is None
    finding = check.examine(FIRES["one"]["curves"])
    assert isinstance(finding, Finding)
    assert finding.message.startswith("one build of faiss HNSW32: another build")
    assert finding.severity == "note"
