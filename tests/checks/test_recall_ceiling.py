"""recall-ceiling: more effort no longer brings more, below 1.0 (H34, see also luceneutil#554)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.curves import curve_of, point_of
from truerecall.checks.recall_ceiling import check
from truerecall.model.check import CannotTell
from truerecall.model.finding import Finding


def values(mean: float) -> list[float]:
    """A hundred queries with this mean."""
    return [mean] * 100


def case(means: dict[int, float], *, rising: bool = True, half: float = 0.01) -> dict[str, Any]:
    """A point with this mean at each nprobe; the cost rises with it, or stays."""
    points = [
        point_of(
            values(mean),
            settings={"nprobe": nprobe},
            effort=("nprobe",),
            cost={"distance_computations": 100 * nprobe if rising else 100},
            half=half,
        )
        for nprobe, mean in means.items()
    ]
    return {"curve": curve_of(*points)}


FIRES = {
    "product codes": case({1: 0.6, 4: 0.670, 16: 0.672, 64: 0.671}),
    "flat from end to end": case({4: 0.67, 8: 0.67}),
    "the last two, far apart": case({1: 0.5, 16: 0.67, 100: 0.672}),
    "8-bit codes": case({16: 0.933, 64: 0.984, 256: 0.984}, half=0.005),
}
STAYS_QUIET = {
    "it still rises": case({1: 0.6, 4: 0.7, 16: 0.8, 64: 0.9}),
    "at the top": case({16: 0.98, 64: 0.999, 256: 1.0}, half=0.002),
    "the interval takes in 1": case({16: 0.985, 64: 0.986}, half=0.02),
    "a knob that does nothing, which is another check's": case({16: 0.8, 64: 0.8}, rising=False),
}


def test_it_says_from_where_on() -> None:
    finding = check.examine(**FIRES["product codes"])
    assert isinstance(finding, Finding)
    assert finding.message.startswith("recall@10 stays at 0.672 from nprobe 16 to 64 though the search does more")
    assert (finding.severity, finding.evidence["lowest"]) == ("note", pytest.approx(0.671))


def test_a_sweep_that_does_not_double_tells_nothing() -> None:
    assert isinstance(check.examine(**case({16: 0.67, 30: 0.67})), CannotTell)
    assert isinstance(check.examine(**case({16: 0.67})), CannotTell)
